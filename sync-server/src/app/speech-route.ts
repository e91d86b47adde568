/** `POST /v1/speech/transcribe` and `/assess`: the body is the sound itself, so they stand beside the contract's calls. */
import { MAX_SPEECH_BYTES, PCM_MEDIA_TYPE, SpeakLine, SPOKEN_SAMPLE_RATE_HZ } from '@parley/contract';
import { SessionId } from '@parley/domain';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Readable } from 'node:stream';
import { z } from 'zod';
import { failure } from '../failure.ts';
import type { LocalCoaching } from './local-models.ts';
import { admissionOf, refuseCompressed } from './request-caller.ts';
import type { Admit } from './router.ts';

export const SPEECH_PATH = '/v1/speech/transcribe';
export const ASSESS_PATH = '/v1/speech/assess';
const SPEAK_PATH = '/v1/speech/speak';
const SPOKEN_TYPE = `${PCM_MEDIA_TYPE};rate=${SPOKEN_SAMPLE_RATE_HZ}`;

const Query = z.strictObject({ sessionId: SessionId });
const AssessQuery = Query.extend({ text: z.string().trim().min(1).max(600).optional() });

export interface SpeechRouteParts {
  admit: Admit;
  coachings: Pick<LocalCoaching, 'choiceOf' | 'coachingFor'>;
}

export function addSpeechRoutes(app: FastifyInstance, { admit, coachings }: SpeechRouteParts): void {
  /** Whoever asks, and a signal that ends when they go away. */
  async function begin(request: FastifyRequest, reply: FastifyReply) {
    const device = await admit(admissionOf(request, reply), { ofCoach: true });
    const gone = new AbortController();
    reply.raw.on('close', () => gone.abort());
    return { device, signal: gone.signal, coaching: coachings.coachingFor(coachings.choiceOf(request)) };
  }

  app.post(SPEAK_PATH, { config: { caller: 'device' } }, async (request, reply) => {
    const { device, signal, coaching } = await begin(request, reply);
    const line = SpeakLine.safeParse(request.body);
    if (!line.success) throw failure('request.invalid', { field: line.error.issues[0]?.path.join('.') ?? '' });
    const pieces = coaching.speak(device, { ...line.data, signal });
    // What speaks against it is answered before the first sound, in words.
    const first = await pieces.next();
    const sound = async function* (): AsyncGenerator<Uint8Array> {
      if (first.done !== true) yield first.value;
      yield* pieces;
    };
    return reply.type(SPOKEN_TYPE).send(Readable.from(sound(), { objectMode: false }));
  });

  // In a scope of its own: sound is taken while it comes, once it is known who speaks and that they may.
  void app.register(async (scope) => {
    scope.addContentTypeParser(PCM_MEDIA_TYPE, (_request, sound, done) => done(null, sound));
    scope.addHook('onRequest', refuseCompressed);
    scope.post(SPEECH_PATH, { config: { caller: 'device' } }, async (request, reply) => {
      const { device, signal, coaching } = await begin(request, reply);
      requirePossibleLength(request);
      const query = Query.safeParse(request.query);
      if (!query.success || !(request.body instanceof Readable))
        throw failure('request.invalid', { field: query.success ? '' : 'sessionId' });
      return { text: await coaching.transcribe(device, { ...query.data, sound: request.body, signal }) };
    });
    scope.post(ASSESS_PATH, { config: { caller: 'device', streamsBody: true } }, async (request, reply) => {
      const { device, signal, coaching } = await begin(request, reply);
      const query = AssessQuery.safeParse(request.query);
      if (!query.success || !(request.body instanceof Readable)) throw failure('request.invalid');
      const { sessionId, text } = query.data;
      return coaching.assess(device, { sessionId, referenceText: text ?? null, sound: request.body, signal });
    });
  });
}

/** What the headers say of the sound: samples are two bytes each, and no turn is longer than the longest. */
function requirePossibleLength({ headers }: FastifyRequest): void {
  const bytes = Number(headers['content-length'] ?? 0);
  if (bytes > MAX_SPEECH_BYTES) throw failure('request.too_large');
  if (bytes % 2 !== 0) throw failure('request.invalid', { detail: 'half a sample' });
}

/** For the OpenAPI document, which is made from the contract. */
const soundBody = { content: { [PCM_MEDIA_TYPE]: {} } };

export const speechPathItems = {
  [SPEECH_PATH]: {
    post: {
      summary: 'What was said; the body is 16-bit little-endian mono PCM at 16 kHz',
      requestBody: soundBody,
      responses: { 200: { description: 'The words, empty when there were none', content: { 'application/json': {} } } },
    },
  },
  [SPEAK_PATH]: {
    post: {
      summary: 'A line in the voice of a coach: 16-bit little-endian mono PCM at 24 kHz, as it is made',
      requestBody: { content: { 'application/json': {} } },
      responses: { 200: { description: 'The sound', content: { [SPOKEN_TYPE]: {} } } },
    },
  },
  [ASSESS_PATH]: {
    post: {
      summary: 'What was said, and how well, against `text` where it is given; the same sound, as it is spoken',
      requestBody: soundBody,
      responses: { 200: { description: 'The words and their assessment', content: { 'application/json': {} } } },
    },
  },
};
