/** Serves a learner's data as a file, to a device with a token or to a browser session. */
import type { FastifyInstance, FastifyReply, FastifyRequest, RouteShorthandOptions } from 'fastify';
import { Readable } from 'node:stream';
import { type Confirmation, exportJson, exportZip, readUser } from '../../account/index.ts';
import type { Database } from '../../db/client.ts';
import { DomainError } from '../../domain-error.ts';
import { exportRecordings } from '../../kept-recordings/index.ts';
import type { FileStorage } from '../../ports/storage/file-storage.ts';
import { readConversation } from '../../sync/index.ts';
import { clientSite } from '../addresses/client-network.ts';
import { toAdmissionRequest } from '../request-bodies/body-sender.ts';
import { closeWhenSlow, type MinimumPace } from '../streams/close-when-slow.ts';
import { closeWhenUnread } from '../streams/close-when-unread.ts';
import { inSlices } from '../streams/in-slices.ts';
import type { Admit } from './admission.ts';

/**
 * How many exports may be open at the same time. A school's learners may share a network, but hardly ever export at the
 * same time.
 */
const EXPORTS_PER_ACCOUNT = 1;
const EXPORTS_PER_NETWORK = 4;
const EXPORTS_PER_PROCESS = 32;
/**
 * The same limit for accounts without an address, which any device can create: they must not take the places of the
 * others.
 */
const ANONYMOUS_EXPORTS_PER_NETWORK = 1;
const ANONYMOUS_EXPORTS_PER_PROCESS = 8;
const RETRY_AFTER_S = 30;
/** A piece is a row, or a slice of it or of a file. The longest takes ten seconds at 50 kbit/s. */
const PIECE_TIMEOUT_MS = 120_000;
/** About 14 kbit/s. */
const MINIMUM_PACE: MinimumPace = { bytes: 512 * 1_024, periodMs: 5 * 60_000 };

export interface ExporterParts {
  db: Database;
  storage: FileStorage;
  pieceTimeoutMs?: number | undefined;
  minimumPace?: MinimumPace | undefined;
}

type ExportType = 'json' | 'zip';

export interface Exporter {
  /** Sends the account's data. Throws `request.too_many` while other exports are open. */
  send: (
    request: FastifyRequest,
    reply: FastifyReply,
    asked: { userId: string; type: ExportType },
  ) => Promise<FastifyReply>;
}

const MEDIA_TYPES: Readonly<Record<ExportType, string>> = {
  json: 'application/json; charset=utf-8',
  zip: 'application/zip',
};

/** Fastify would answer HEAD by computing the whole export and discarding it. */
export const WITHOUT_HEAD: RouteShorthandOptions = { exposeHeadRoute: false };

export function createExporter({
  db,
  storage,
  pieceTimeoutMs = PIECE_TIMEOUT_MS,
  minimumPace = MINIMUM_PACE,
}: ExporterParts): Exporter {
  const openByName = new Map<string, number>();
  const write = (userId: string, type: ExportType): AsyncGenerator<string | Uint8Array> => {
    const conversationOf = (sessionId: string): Promise<unknown[]> => readConversation(db, { userId, sessionId });
    return type === 'json'
      ? exportJson(db, { userId, conversationOf })
      : exportZip(db, { userId, conversationOf }, exportRecordings({ db, storage }, userId));
  };
  /** Returns a function that releases the place. */
  const reserve = (
    request: FastifyRequest,
    reply: FastifyReply,
    { userId, isAnonymous }: { userId: string; isAnonymous: boolean },
  ): (() => void) => {
    const network = clientSite(request.ip);
    const limits: [name: string, limit: number][] = [
      [`account ${userId}`, EXPORTS_PER_ACCOUNT],
      [`network ${network}`, EXPORTS_PER_NETWORK],
      ['process', EXPORTS_PER_PROCESS],
    ];
    if (isAnonymous)
      limits.push(
        [`anonymous network ${network}`, ANONYMOUS_EXPORTS_PER_NETWORK],
        ['anonymous process', ANONYMOUS_EXPORTS_PER_PROCESS],
      );
    if (limits.some(([name, limit]) => (openByName.get(name) ?? 0) >= limit)) {
      void reply.header('retry-after', RETRY_AFTER_S);
      throw new DomainError('request.too_many');
    }
    for (const [name] of limits) openByName.set(name, (openByName.get(name) ?? 0) + 1);
    return () => {
      for (const [name] of limits) {
        const left = (openByName.get(name) ?? 1) - 1;
        if (left === 0) openByName.delete(name);
        else openByName.set(name, left);
      }
    };
  };
  return {
    async send(request, reply, { userId, type }) {
      const isAnonymous = ((await readUser(db, userId))?.email ?? null) === null;
      // If the client has disconnected in the meantime, it would never release the place.
      if (reply.raw.destroyed || reply.raw.closed) throw new DomainError('request.invalid');
      const release = reserve(request, reply, { userId, isAnonymous });
      const takenInTime = closeWhenUnread(inSlices(write(userId, type)), { reply, timeoutMs: pieceTimeoutMs });
      const pieces = closeWhenSlow(takenInTime, { reply, pace: minimumPace });
      const stream = Readable.from(pieces, { objectMode: false });
      stream.once('close', release);
      // Compression may not pass on that the reader has disconnected.
      reply.raw.once('close', () => stream.destroy());
      return reply
        .headers({
          'content-type': MEDIA_TYPES[type],
          'content-disposition': `attachment; filename="parley-export.${type}"`,
          'cache-control': 'no-store',
        })
        .send(stream);
    },
  };
}

export interface ExportRouteParts {
  exporter: Exporter;
  admit: Admit;
  confirmation: Confirmation;
  strictForDevices: RouteShorthandOptions;
}

export function addExportRoute(
  app: FastifyInstance,
  { exporter, admit, confirmation, strictForDevices }: ExportRouteParts,
): void {
  app.get('/v1/account/export', { ...strictForDevices, ...WITHOUT_HEAD }, async (request, reply) => {
    const device = await admit(toAdmissionRequest(request, reply));
    await confirmation.require(device);
    return exporter.send(request, reply, { userId: device.userId, type: 'json' });
  });
}
