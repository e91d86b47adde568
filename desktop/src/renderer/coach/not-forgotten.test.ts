import { ORPCError } from '@orpc/client';
import { expect, it } from 'vitest';
import { notForgotten } from './not-forgotten.ts';

const LINE = 'The learner works at night.';

it('a line that could not be deleted is named, with the reason and what to do', () => {
  expect(notForgotten(LINE, new ORPCError('sync.offline'))).toBe(
    'Not deleted: “The learner works at night.” Only the server can delete it, and it cannot be reached. Try again when you are online.',
  );
  expect(notForgotten(LINE, new ORPCError('auth.required'))).toMatch(
    /^Not deleted: “The learner works at night\.” This device is not connected/,
  );
});
