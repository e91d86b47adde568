import { ORPCError } from '@orpc/client';
import { expect, it } from 'vitest';
import { errorSentence } from './error-sentence.ts';

it.each([
  ['timeZone', 'Check “time zone”.'],
  ['title', 'Check “Title”.'],
  ['courseId', 'Check “course”.'],
  ['picture', 'Check “Picture”.'],
])('names the field %s that the server did not accept as the form does', (field, sentence) => {
  const error = new ORPCError('request.invalid', { data: { field } });
  expect(errorSentence(error)).toBe(`The server didn’t accept this. Check what you typed, then try again. ${sentence}`);
});
