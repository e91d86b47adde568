import { ORPCError } from '@orpc/client';
import { expect, it } from 'vitest';
import { errorSentence } from './error-sentence.ts';

it('says that no sign-in e-mail was sent when the network has had too many', () => {
  const refused = new ORPCError('request.too_many', { data: { detail: 'sign_in_network' } });
  expect(errorSentence(refused)).toContain('No e-mail was sent');
  expect(errorSentence(new ORPCError('request.too_many'))).toContain('Wait a minute');
});
