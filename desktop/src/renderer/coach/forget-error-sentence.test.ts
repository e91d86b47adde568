import { ORPCError } from '@orpc/client';
import { expect, it } from 'vitest';
import { forgetErrorSentence } from './forget-error-sentence.ts';

const LINE = 'The learner works at night.';

it('names the note that was not deleted, the reason and what to do', () => {
  expect(forgetErrorSentence(LINE, new ORPCError('sync.offline'))).toBe(
    'Not deleted: “The learner works at night.” Only the server can delete it, and it cannot be reached. Try again when you are online.',
  );
  expect(forgetErrorSentence(LINE, new ORPCError('auth.required'))).toMatch(
    /^Not deleted: “The learner works at night\.” This device is not connected/,
  );
});
