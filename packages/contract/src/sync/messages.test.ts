import { createHash } from 'node:crypto';
import { expect, it } from 'vitest';
import { z } from 'zod';
import { PullRequest, PullResponse, PushRequest, PushResponse, SYNC_PROTOCOL } from './messages.ts';

/** One line a protocol version that ever shipped. A changed message needs a new version and a new line. */
const FINGERPRINT_BY_PROTOCOL: Record<number, string> = {
  1: '0ab7a75c582cc26d',
};

it('keeps the messages of this protocol version as they shipped', () => {
  const schemas = [PushRequest, PushResponse, PullRequest, PullResponse].map((schema) =>
    z.toJSONSchema(schema, { unrepresentable: 'any' }),
  );
  const fingerprint = createHash('sha256').update(JSON.stringify(schemas)).digest('hex').slice(0, 16);
  expect(fingerprint).toBe(FINGERPRINT_BY_PROTOCOL[SYNC_PROTOCOL]);
});
