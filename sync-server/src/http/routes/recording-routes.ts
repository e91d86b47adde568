/** Serves the learner's own copies of recordings: the contract's procedures, and audio in parts and ranges. */
import { implement, type Router } from '@orpc/server';
import { ENDPOINTS, RECORDING_CHUNK_BYTES, RECORDING_MEDIA_TYPE, serverContract, Sha256 } from '@parley/contract';
import { RecordingId } from '@parley/domain';
import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { DomainError } from '../../domain-error.ts';
import type { KeptRecordings } from '../../kept-recordings/index.ts';
import { rejectCompressed, toAdmissionRequest } from '../request-bodies/body-sender.ts';
import type { Admit, RequestContext } from './admission.ts';
import { sendFile } from './send-file.ts';

export interface RecordingRouteParts {
  admit: Admit;
  recordings: KeptRecordings;
}

/** A learner without access to the coaches cannot send copies, but can still read and delete existing ones. */
const SENDING = { ofCoach: true };

export function createRecordingRoutes({
  admit,
  recordings,
}: RecordingRouteParts): Router<(typeof serverContract)['recordings'], RequestContext> {
  const contract = implement(serverContract).$context<RequestContext>().recordings;
  return {
    keep: contract.keep.handler(async ({ input, context }) =>
      recordings.choose((await admit(context, input.isOn ? SENDING : {})).userId, input),
    ),
    list: contract.list.handler(async ({ input, context }) => recordings.list((await admit(context)).userId, input)),
    announce: contract.announce.handler(async ({ input, context }) =>
      recordings.announce((await admit(context, SENDING)).userId, input),
    ),
    verify: contract.verify.handler(async ({ input, context }) =>
      recordings.verify((await admit(context)).userId, input.recordingId),
    ),
  };
}

const SendQuery = z.strictObject({
  sha256: Sha256,
  offset: z
    .string()
    .regex(/^\d{1,10}$/)
    .transform(Number),
});
const ReadQuery = z.strictObject({ recordingId: RecordingId });
/** The audio of a recording never changes, and only its learner's own cache may keep it. */
const CACHE = 'private, max-age=31536000, immutable';
const CONTENT_POLICY = "default-src 'none'; sandbox";

export function addRecordingRoutes(app: FastifyInstance, { admit, recordings }: RecordingRouteParts): void {
  const invalid = (error: z.ZodError): DomainError =>
    new DomainError('request.invalid', { field: error.issues[0]?.path.join('.') ?? '' });

  void app.register(async (scope) => {
    scope.addHook('onRequest', rejectCompressed);
    const options = { config: { caller: 'device' }, bodyLimit: RECORDING_CHUNK_BYTES } as const;
    scope.post(ENDPOINTS.sendRecording.path, options, async (request, reply) => {
      const { userId } = await admit(toAdmissionRequest(request, reply), SENDING);
      const query = SendQuery.safeParse(request.query);
      if (!query.success) throw invalid(query.error);
      const { body } = request;
      if (request.headers['content-type'] !== RECORDING_MEDIA_TYPE || !Buffer.isBuffer(body))
        throw new DomainError('request.invalid', { field: 'content-type' });
      return recordings.receive({ userId, ...query.data, content: body });
    });
  });

  // Compressed responses cannot be served in ranges, and Opus is compressed already.
  app.route({
    method: ['GET', 'HEAD'],
    url: ENDPOINTS.readRecording.path,
    compress: false,
    handler: async (request, reply) => {
      const { userId } = await admit(toAdmissionRequest(request, reply));
      const query = ReadQuery.safeParse(request.query);
      if (!query.success) throw invalid(query.error);
      const { recordingId } = query.data;
      const opened = await recordings.open(userId, recordingId);
      // The response for another learner's recording is the same as for one that does not exist.
      if (opened === null) throw new DomainError('recording.not_found');
      void reply.headers({
        'accept-ranges': 'bytes',
        'cache-control': CACHE,
        'content-security-policy': CONTENT_POLICY,
        'x-content-type-options': 'nosniff',
      });
      return sendFile(request, reply, {
        ...opened,
        mediaType: RECORDING_MEDIA_TYPE,
        onMissing: () => {
          request.log.error({ recordingId }, 'recording_file_missing');
          throw new DomainError('recording.file_missing');
        },
      });
    },
  });
}
