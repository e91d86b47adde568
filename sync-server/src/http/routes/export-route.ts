/** Serves a learner's data as a file, to a device with a token or to a browser session. */
import type { FastifyInstance, FastifyReply } from 'fastify';
import { Readable } from 'node:stream';
import { type Confirmation, exportJson, exportZip } from '../../account/index.ts';
import type { Database } from '../../db/client.ts';
import { refreshConversations } from '../../sync/index.ts';
import { toAdmissionRequest } from '../request-bodies/body-sender.ts';
import type { Admit } from './admission.ts';

const TYPES = {
  json: { mediaType: 'application/json; charset=utf-8', write: exportJson },
  zip: { mediaType: 'application/zip', write: exportZip },
} as const;

export function addExportRoute(
  app: FastifyInstance,
  { db, now, admit, confirmation }: { db: Database; now: () => Date; admit: Admit; confirmation: Confirmation },
): void {
  app.get('/v1/account/export', async (request, reply) => {
    const device = await admit(toAdmissionRequest(request, reply));
    await confirmation.require(device);
    return sendExport(reply, { db, now, userId: device.userId, type: 'json' });
  });
}

export function sendExport(
  reply: FastifyReply,
  { db, now, userId, type }: { db: Database; now: () => Date; userId: string; type: keyof typeof TYPES },
): FastifyReply {
  const { mediaType, write } = TYPES[type];
  return reply
    .headers({
      'content-type': mediaType,
      'content-disposition': `attachment; filename="parley-export.${type}"`,
      'cache-control': 'no-store',
    })
    .send(Readable.from(withConversations({ db, now, userId }, write), { objectMode: false }));
}

/** Conversations are computed only when they are read. */
async function* withConversations(
  { db, now, userId }: { db: Database; now: () => Date; userId: string },
  write: (typeof TYPES)[keyof typeof TYPES]['write'],
): AsyncGenerator<string | Uint8Array> {
  await refreshConversations(db, userId, now);
  yield* write(db, userId);
}
