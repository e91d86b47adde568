/**
 * Serves `POST /v1/speech/transcribe`, `/assess` and `/speak`, which carry raw audio and are therefore not contract
 * procedures.
 */
import { ENDPOINTS, MAX_SPEECH_BYTES, PCM_MEDIA_TYPE, SpeakRequest } from '@parley/contract';
import { SessionId } from '@parley/domain';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Readable } from 'node:stream';
import { z } from 'zod';
import { DomainError } from '../../domain-error.ts';
import type { CoachingSelector } from './coaching-selector.ts';
import { toAdmissionRequest, rejectCompressed } from '../request-bodies/body-sender.ts';
import type { Admit } from './admission.ts';

const Query = z.strictObject({ sessionId: SessionId });
const AssessQuery = Query.extend({ text: z.string().trim().min(1).max(600).optional() });

export interface SpeechRouteParts {
  admit: Admit;
  coachings: Pick<CoachingSelector, 'choiceOf' | 'coachingFor'>;
}

export function addSpeechRoutes(app: FastifyInstance, { admit, coachings }: SpeechRouteParts): void {
  /** Admits the device and returns a signal that aborts when it disconnects. */
  async function begin(request: FastifyRequest, reply: FastifyReply) {
    const device = await admit(toAdmissionRequest(request, reply), { ofCoach: true });
    const disconnected = new AbortController();
    reply.raw.on('close', () => disconnected.abort());
    return { device, signal: disconnected.signal, coaching: coachings.coachingFor(coachings.choiceOf(request)) };
  }

  app.post(ENDPOINTS.speak.path, { config: { caller: 'device' } }, async (request, reply) => {
    const { device, signal, coaching } = await begin(request, reply);
    const parsed = SpeakRequest.safeParse(request.body);
    if (!parsed.success)
      throw new DomainError('request.invalid', { field: parsed.error.issues[0]?.path.join('.') ?? '' });
    const pieces = coaching.speak(device, { ...parsed.data, signal });
    // An error is answered as JSON before the first audio is sent.
    const first = await pieces.next();
    const sound = async function* (): AsyncGenerator<Uint8Array> {
      if (first.done !== true) yield first.value;
      yield* pieces;
    };
    return reply.type(ENDPOINTS.speak.response.type).send(Readable.from(sound(), { objectMode: false }));
  });

  // These routes have their own scope because they accept streamed audio, once the device has been admitted.
  void app.register(async (scope) => {
    scope.addContentTypeParser(PCM_MEDIA_TYPE, (_request, sound, done) => done(null, sound));
    scope.addHook('onRequest', rejectCompressed);
    scope.post(ENDPOINTS.transcribe.path, { config: { caller: 'device', isSpeech: true } }, async (request, reply) => {
      const { device, signal, coaching } = await begin(request, reply);
      requirePlausibleLength(request);
      const query = Query.safeParse(request.query);
      if (!query.success || !(request.body instanceof Readable))
        throw new DomainError('request.invalid', { field: query.success ? '' : 'sessionId' });
      return { text: await coaching.transcribe(device, { ...query.data, sound: request.body, signal }) };
    });
    scope.post(ENDPOINTS.assess.path, { config: { caller: 'device', isSpeech: true } }, async (request, reply) => {
      const { device, signal, coaching } = await begin(request, reply);
      const query = AssessQuery.safeParse(request.query);
      if (!query.success || !(request.body instanceof Readable)) throw new DomainError('request.invalid');
      const { sessionId, text } = query.data;
      return coaching.assess(device, { sessionId, referenceText: text ?? null, sound: request.body, signal });
    });
  });
}

/** A sample has two bytes, and a turn has a maximum length, so bad lengths are rejected by the header alone. */
function requirePlausibleLength({ headers }: FastifyRequest): void {
  const bytes = Number(headers['content-length'] ?? 0);
  if (bytes > MAX_SPEECH_BYTES) throw new DomainError('request.too_large');
  if (bytes % 2 !== 0) throw new DomainError('request.invalid', { detail: 'half a sample' });
}
