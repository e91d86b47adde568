/** A caller without an account sends little that inflates to much, and withholds the end of it. */
import { PCM_MEDIA_TYPE } from '@parley/contract';
import { randomBytes, randomUUID } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { type Attack, describeFigures, keepsMemoryTarget, MEMORY_TARGET } from '../attack.ts';
import { measureAttack } from '../measure.ts';
import { holdSockets, requestBytes } from '../sockets.ts';
import { SERVER_KINDS } from '../target.ts';

const SOCKETS = 300;
const INFLATED_BYTES = 5_800_000;
const WITHHELD_BYTES = 12;

export const unauthenticatedBodies: Attack = {
  name: `A caller without an account exhausts memory: ${SOCKETS} bodies of 5.8 MB, compressed, their end withheld`,
  before: '0.3 to 2.0 GiB more',
  target: MEMORY_TARGET,
  on: SERVER_KINDS,
  run: async (target) => {
    const packed = gzipSync(Buffer.alloc(INFLATED_BYTES));
    const whole = requestBytes({
      path: `/v1/speech/transcribe?sessionId=${randomUUID()}`,
      headers: {
        'content-type': PCM_MEDIA_TYPE,
        'content-encoding': 'gzip',
        authorization: `Bearer ${randomUUID()}.${randomBytes(32).toString('base64url')}`,
      },
      body: packed,
    });
    const bytes = whole.subarray(0, whole.byteLength - WITHHELD_BYTES);
    const figures = await measureAttack(target, () => holdSockets(target, { count: SOCKETS, bytes, reads: true }));
    return { after: describeFigures(figures), holds: keepsMemoryTarget(figures) };
  },
};
