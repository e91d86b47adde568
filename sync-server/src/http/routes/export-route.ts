/** Serves a learner's data as a file, to a device with a token or to a browser session. */
import type { FastifyInstance, FastifyReply } from 'fastify';
import { Readable } from 'node:stream';
import { type Confirmation, exportJson, exportZip } from '../../account/index.ts';
import type { Database } from '../../db/client.ts';
import { exportRecordings } from '../../kept-recordings/index.ts';
import type { FileStorage } from '../../ports/storage/file-storage.ts';
import { refreshConversations } from '../../sync/index.ts';
import { toAdmissionRequest } from '../request-bodies/body-sender.ts';
import type { Admit } from './admission.ts';

export interface ExportParts {
  db: Database;
  now: () => Date;
  storage: FileStorage;
}

const TYPES = {
  json: {
    mediaType: 'application/json; charset=utf-8',
    write: ({ db }: ExportParts, userId: string) => exportJson(db, userId),
  },
  zip: {
    mediaType: 'application/zip',
    write: (parts: ExportParts, userId: string) => exportZip(parts.db, userId, exportRecordings(parts, userId)),
  },
} as const;

export function addExportRoute(
  app: FastifyInstance,
  { admit, confirmation, ...parts }: ExportParts & { admit: Admit; confirmation: Confirmation },
): void {
  app.get('/v1/account/export', async (request, reply) => {
    const device = await admit(toAdmissionRequest(request, reply));
    await confirmation.require(device);
    return sendExport(reply, { ...parts, userId: device.userId, type: 'json' });
  });
}

export function sendExport(
  reply: FastifyReply,
  { userId, type, ...parts }: ExportParts & { userId: string; type: keyof typeof TYPES },
): FastifyReply {
  const { mediaType, write } = TYPES[type];
  return reply
    .headers({
      'content-type': mediaType,
      'content-disposition': `attachment; filename="parley-export.${type}"`,
      'cache-control': 'no-store',
    })
    .send(Readable.from(withConversations({ ...parts, userId }, write), { objectMode: false }));
}

/** Conversations are computed only when they are read. */
async function* withConversations(
  { userId, ...parts }: ExportParts & { userId: string },
  write: (typeof TYPES)[keyof typeof TYPES]['write'],
): AsyncGenerator<string | Uint8Array> {
  await refreshConversations(parts.db, userId, parts.now);
  yield* write(parts, userId);
}
