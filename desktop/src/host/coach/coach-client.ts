/** Client for the server's coach and speech services, including the lease for a session. */
import {
  type CoachAvailability,
  type ErrorCode,
  type ConversationSnapshot,
  type LocalModels,
  LEASE_RENEW_BEFORE_MS,
  type RealtimeBeginMessage,
  ReplyEvent,
} from '@parley/contract';
import { type CoachReview, type CoachVoice, LEASE_S, ok, type SessionId } from '@parley/domain';
import { type HostResult, failed } from '../result/index.ts';
import type { Clock } from '../store/index.ts';
import { IdleTimeout, type RequestContext, type ServerConnection, toFailure } from '../server/index.ts';
import { CoachError, toCoachFailure } from './coach-failure.ts';
import { type RealtimeConnection, type RealtimeListener, openRealtimeConnection } from './realtime-connection.ts';
import { openStreamedTurn, type StreamedTurn } from './streamed-turn.ts';
import type { TranscribedSpeech } from './transcribed-speech.ts';

export interface CoachClient {
  /** Returns what the server offers, cached for a short time; nothing while the server is unreachable. */
  offer(): Promise<CoachAvailability>;
  /** Streams the coach's reply. Throws a `CoachError`. */
  reply(conversation: ConversationSnapshot, signal: AbortSignal): AsyncGenerator<ReplyEvent>;
  /** Lists models on this computer that the learner may choose. */
  listLocalModels(): Promise<LocalModels>;
  /** Asks the server to load a local model before it is needed. Does nothing for other models. */
  warmUp(): Promise<void>;
  hint(conversation: ConversationSnapshot, level: 1 | 2 | 3): Promise<HostResult<string[]>>;
  review(conversation: ConversationSnapshot): Promise<HostResult<CoachReview>>;
  translate(asked: { text: string; language: string }): Promise<HostResult<string>>;
  forgetMemory(line: string): Promise<HostResult<void>>;
  /**
   * Transcribes a turn of a session, for which it acquires a lease. Also assesses it if the server has an assessor;
   * otherwise the caller does.
   */
  transcribeTurn(said: {
    sessionId: SessionId;
    pcm: Uint8Array;
    takeOver: boolean;
  }): Promise<HostResult<TranscribedSpeech>>;
  /**
   * Does the same while the learner is still speaking, if the server has an assessor, so that the result is ready soon
   * after the turn ends.
   */
  streamTurn(said: { sessionId: SessionId; takeOver: boolean }): StreamedTurn;
  /** Streams an utterance in the coach's voice as 16-bit mono PCM at 24 kHz. Throws a `CoachError`. */
  synthesise(line: { text: string; voice: CoachVoice }, signal: AbortSignal): AsyncGenerator<Uint8Array, void>;
  /** Opens a realtime session. Everything that arrives is passed to the listener. */
  openRealtime(begin: Omit<RealtimeBeginMessage, 'type' | 'timeZone'>, listener: RealtimeListener): RealtimeConnection;
  /** Call this when the learner has changed the server or the coach. */
  invalidateOffer(): void;
  /** Releases the lease when the session ends or is paused. */
  release(sessionId: SessionId): Promise<void>;
}

export const NO_OFFER: CoachAvailability = {
  coach: null,
  transcriber: null,
  scorer: null,
  voice: null,
  realtime: null,
};

const NO_MODELS: LocalModels = { isPossible: false, coaches: [], transcribers: [] };

/** A period on the device's clock. */
interface Period {
  fromMs: number;
  untilMs: number;
}

/** If the clock was set back, the current time is before the start; otherwise the period would be hours too long. */
const isWithin = ({ fromMs, untilMs }: Period, nowMs: number): boolean => nowMs >= fromMs && nowMs < untilMs;

const NO_CACHED_OFFER = { offer: NO_OFFER, fromMs: 0, untilMs: 0 };

/** Failures of the assessor only; transcription may still work after one of these. */
const ASSESSOR_FAILURES: ReadonlySet<ErrorCode> = new Set(['speech.unavailable', 'coach.misconfigured', 'coach.spent']);

/** Time from the first byte of a long reply, such as a review, to its last. */
const REPLY_TIMEOUT_MS = 60_000;

/**
 * Time between two events of a reply. The connection itself stays alive, because the server and some providers send comments
 * while a model is busy, even if it never answers.
 */
const REPLY_SILENCE_MS = 120_000;

/** The configuration of a server seldom changes. */
const OFFER_CACHE_MS = 60_000;
/** A learner may start or stop a local model at any time, so this cache is short, but not every screen asks again. */
const FAILED_OFFER_CACHE_MS = 5_000;

const usesLocalModels = ({ coach, transcriber, missing }: CoachAvailability): boolean =>
  missing !== undefined || coach?.where === 'this_computer' || transcriber?.where === 'this_computer';

export interface CoachClientParts {
  /** `null` while no server is configured. */
  connection: () => ServerConnection | null;
  clock: Clock;
  timeZone: () => string;
  replySilenceMs?: number;
}

export function createCoachClient({
  connection,
  clock,
  timeZone,
  replySilenceMs = REPLY_SILENCE_MS,
}: CoachClientParts): CoachClient {
  let cachedOffer: Period & { offer: CoachAvailability } = NO_CACHED_OFFER;
  /** The lease and when it must be renewed. */
  let lease: (Period & { sessionId: SessionId }) | null = null;

  async function callServer<Value>(call: (connection: ServerConnection) => Promise<Value>): Promise<HostResult<Value>> {
    const server = connection();
    if (server === null) return failed('coach.unavailable');
    try {
      return ok(await call(server));
    } catch (error) {
      return { ok: false, error: toCoachFailure(error) };
    }
  }

  async function offer(): Promise<CoachAvailability> {
    const nowMs = clock.now().getTime();
    if (isWithin(cachedOffer, nowMs)) return cachedOffer.offer;
    const response = await callServer(({ client }) => client.coach.offer({}));
    cachedOffer = {
      offer: response.ok ? response.value : NO_OFFER,
      fromMs: nowMs,
      untilMs: nowMs + (response.ok && !usesLocalModels(response.value) ? OFFER_CACHE_MS : FAILED_OFFER_CACHE_MS),
    };
    return cachedOffer.offer;
  }

  /** Acquires a lease of one minute and renews it shortly before it ends. */
  async function ensureLease(sessionId: SessionId, takeOver: boolean): Promise<HostResult<void>> {
    const nowMs = clock.now().getTime();
    // Another device may have taken over a lease that looks valid here, so taking over always acquires a new one.
    const isOurs = lease?.sessionId === sessionId && isWithin(lease, nowMs);
    if (isOurs && !takeOver) return ok(undefined);
    const leaseRequest = { sessionId, style: 'turn_based' as const, timeZone: timeZone(), takeOver };
    const acquired = await callServer(({ client }) => client.coach.lease(leaseRequest));
    if (!acquired.ok) return acquired;
    // Expiry is measured on this device's clock, which may differ from the server's by days.
    const leasedMs = Math.min(LEASE_S, acquired.value.remainingS ?? LEASE_S) * 1_000;
    lease = { sessionId, fromMs: nowMs, untilMs: nowMs + leasedMs - LEASE_RENEW_BEFORE_MS };
    return ok(undefined);
  }

  /**
   * Waits long enough for a model that is still loading, because a repeated request would only reach the same loading
   * model.
   */
  const slowCallOptions = (): { context: RequestContext } => {
    const firstByteMs = cachedOffer.offer.coach?.firstByteMs;
    return { context: firstByteMs === undefined ? {} : { timeoutMs: firstByteMs + REPLY_TIMEOUT_MS } };
  };

  return {
    offer,

    async listLocalModels() {
      const found = await callServer(({ client }) => client.coach.local({}));
      return found.ok ? found.value : NO_MODELS;
    },

    async warmUp() {
      if ((await offer()).coach?.firstByteMs !== undefined) await callServer(({ client }) => client.coach.warmUp({}));
    },

    async *reply(conversation, signal) {
      const server = connection();
      if (server === null) throw new CoachError({ code: 'coach.unavailable' });
      const silence = new IdleTimeout((cachedOffer.offer.coach?.firstByteMs ?? 0) + replySilenceMs);
      const ends = AbortSignal.any([signal, silence.signal]);
      try {
        for await (const sent of await server.client.coach.reply(conversation, { signal: ends })) {
          silence.restart();
          const event = ReplyEvent.safeParse(sent);
          // Types of events from a newer server are ignored.
          if (event.success) yield event.data;
        }
      } catch (error) {
        signal.throwIfAborted();
        throw new CoachError(toCoachFailure(error), { cause: error });
      } finally {
        silence.stop();
      }
    },

    hint: async (conversation, level) => {
      const answered = await callServer(({ client }) =>
        client.coach.hint({ ...conversation, level }, slowCallOptions()),
      );
      return answered.ok ? ok(answered.value.hints) : answered;
    },
    review: (conversation) => callServer(({ client }) => client.coach.review(conversation, slowCallOptions())),
    translate: async (asked) => {
      const answered = await callServer(({ client }) => client.coach.translate(asked, slowCallOptions()));
      return answered.ok ? ok(answered.value.text) : answered;
    },
    // The server itself deletes the note, so an unreachable server is reported as offline and not as a coach failure.
    forgetMemory: async (line) => {
      const server = connection();
      if (server === null) return failed('sync.offline');
      try {
        await server.client.coach.forget({ line });
        return ok(undefined);
      } catch (error) {
        return { ok: false, error: toFailure(error) };
      }
    },

    async transcribeTurn({ sessionId, pcm, takeOver }) {
      const lease = await ensureLease(sessionId, takeOver);
      if (!lease.ok) return lease;
      const { scorer, transcriber } = await offer();
      if (scorer !== null) {
        const assessed = await callServer((connection) => connection.assess(sessionId, pcm));
        if (assessed.ok || transcriber === null || !ASSESSOR_FAILURES.has(assessed.error.code)) return assessed;
      }
      const transcribed = await callServer((connection) =>
        connection.transcribe(sessionId, pcm, slowCallOptions().context.timeoutMs),
      );
      return transcribed.ok ? ok({ text: transcribed.value, assessment: null }) : transcribed;
    },

    streamTurn: ({ sessionId, takeOver }) =>
      openStreamedTurn(async (sound, signal) => {
        // A lease is acquired before the turn ends only if the server assesses while the learner speaks.
        if ((await offer()).scorer === null) return null;
        const lease = await ensureLease(sessionId, takeOver);
        if (!lease.ok || signal.aborted) return null;
        const assessed = await callServer((connection) => connection.assessStream(sessionId, sound, signal));
        return assessed.ok ? assessed.value : null;
      }),

    async *synthesise(line, signal) {
      const server = connection();
      if (server === null || (await offer()).voice === null) throw new CoachError({ code: 'speech.unavailable' });
      try {
        yield* server.synthesise(line, signal);
      } catch (error) {
        signal.throwIfAborted();
        throw new CoachError(toCoachFailure(error), { cause: error });
      }
    },

    openRealtime(begin, listener) {
      const server = connection();
      if (server !== null)
        return openRealtimeConnection(server, { type: 'begin', timeZone: timeZone(), ...begin }, listener);
      queueMicrotask(() => listener.onClosed({ code: 'coach.unavailable' }));
      return { sendMessage: () => undefined, sendAudio: () => undefined, close: () => undefined };
    },

    invalidateOffer() {
      cachedOffer = NO_CACHED_OFFER;
    },

    async release(sessionId) {
      if (lease?.sessionId !== sessionId) return;
      lease = null;
      // If this request is lost, the lease expires within a minute.
      await callServer(({ client }) => client.coach.release({ sessionId }));
    },
  };
}
