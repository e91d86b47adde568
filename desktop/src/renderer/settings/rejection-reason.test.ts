import { expect, it } from 'vitest';
import { rejectionReason } from './rejection-reason.ts';

it('says of a turn that no longer fits into its session that the conversation is too long', () => {
  expect(rejectionReason({ code: 'limit_exceeded', field: 'sessionId' })).toContain('This conversation is longer');
  expect(rejectionReason({ code: 'limit_exceeded', field: 'words' })).toContain('what your other devices saved');
  expect(rejectionReason({ code: 'missing_reference', field: 'sessionId' })).toContain('no longer exists');
});
