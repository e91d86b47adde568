/**
 * Receives uploads by the tus protocol, in pieces. The sender is authenticated again for each piece, and what has
 * arrived is kept.
 */
import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { FileStore } from '@tus/file-store';
import { Server, type ServerOptions } from '@tus/server';
import { UPLOADS_PATH } from '@parley/contract';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { DomainError } from '../../domain-error.ts';
import type { Media } from '../../media/index.ts';
import type { BrowserSessions } from '../../web/browser-sessions.ts';
import { toErrorResponse } from '../errors/error-response.ts';
import { type AdminCallerParts, createRouteCallers } from './admin-caller.ts';
import { logUnexpected } from '../errors/report-bug.ts';

export interface UploadRouteParts extends AdminCallerParts {
  gate: BrowserSessions;
  media: Media;
  uploadsDir: string;
}

type TusRequest = Parameters<NonNullable<ServerOptions['onIncomingRequest']>>[0];

const UploadId = z.uuid();
const PIECE_TYPE = 'application/offset+octet-stream';
const DEFAULT_NAME = 'video';

export function addUploadRoutes(app: FastifyInstance, parts: UploadRouteParts): void {
  const { media, uploadsDir } = parts;
  const { requireAdmin } = createRouteCallers(parts);
  const senders = new WeakMap<IncomingMessage, { request: FastifyRequest; userId: string }>();
  const senderOf = ({ runtime }: TusRequest): { request: FastifyRequest; userId: string } => {
    const raw = runtime?.node?.req;
    const sender = raw === undefined ? undefined : senders.get(raw as IncomingMessage);
    if (sender === undefined) throw new Error('an upload without a sender');
    return sender;
  };
  let server: Server | null = null;
  // The store makes its folder as soon as it is created.
  const tus = (): Server =>
    (server ??= new Server({
      path: UPLOADS_PATH,
      datastore: new FileStore({ directory: uploadsDir }),
      // Behind a proxy the server does not know its own address.
      relativeLocation: true,
      allowedOrigins: [],
      namingFunction: () => randomUUID(),
      getFileIdFromRequest: (_request, last) => UploadId.safeParse(last).data,
      async onUploadCreate(request, { id, size, metadata }) {
        const { userId: actorId } = senderOf(request);
        const fileName = metadata?.['filename'] ?? DEFAULT_NAME;
        await media.announceUpload({ id, actorId, bytes: size ?? 0, fileName });
        return {};
      },
      async onIncomingRequest(request, id) {
        if (request.method !== 'POST') await media.requireUpload({ id, actorId: senderOf(request).userId });
        if (request.method === 'PATCH') await media.requireDiskRoom();
      },
      onResponseError(request, error) {
        // Only our own refusals have a status.
        if (!(error instanceof Error)) return undefined;
        const { request: asked } = senderOf(request);
        const { status, body, isBug } = toErrorResponse(error, asked.id);
        if (isBug) logUnexpected(asked.log, error);
        return { status_code: status, body: JSON.stringify(body) };
      },
    }));

  const receive = async (request: FastifyRequest, reply: FastifyReply): Promise<unknown> => {
    const { userId } = await requireAdmin(request, reply);
    if (request.headers['content-encoding'] !== undefined)
      throw new DomainError('request.invalid', { field: 'content-encoding' });
    senders.set(request.raw, { request, userId });
    reply.hijack();
    for (const [name, value] of Object.entries(reply.getHeaders()))
      if (value !== undefined) reply.raw.setHeader(name, value);
    reply.raw.setHeader('cache-control', 'no-store');
    return tus().handle(request.raw, reply.raw);
  };

  void app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    // The pieces are written to the disk while they arrive.
    scope.addContentTypeParser(PIECE_TYPE, (_request, _body, done) => done(null));
    const config = { caller: 'admin', streamsBody: true } as const;
    scope.post(UPLOADS_PATH, { config }, receive);
    scope.patch(`${UPLOADS_PATH}/:id`, { config }, receive);
    scope.head(`${UPLOADS_PATH}/:id`, receive);
  });
}
