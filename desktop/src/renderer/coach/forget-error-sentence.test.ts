import { ORPCError } from '@orpc/client';
import { expect, it } from 'vitest';
import { forgetErrorSentence } from './forget-error-sentence.ts';

const LINE = 'The learner works at night.';

it('names the note that was not deleted, the reason and what to do', () => {
  expect(forgetErrorSentence(LINE, new ORPCError('sync.offline'))).toBe(
    'Parley couldn’t delete “The learner works at night”. Only the server can delete it, and Parley can’t reach it. Try again when you’re online.',
  );
  expect(forgetErrorSentence(LINE, new ORPCError('auth.required'))).toMatch(
    /^Parley couldn’t delete “The learner works at night”\. This device isn’t connected/,
  );
});
