/** The coach behind the server, as this device reaches it: what there is, its words, and the time that it may take. */
import {
  type CoachOffer,
  type ErrorCode,
  type HeldConversation,
  type LocalModels,
  LEASE_RENEW_BEFORE_MS,
  type RealtimeBegin,
  type ReplyEvent,
} from '@parley/contract';
import { type Assessment, type CoachReview, type CoachVoice, LEASE_S, ok, type SessionId } from '@parley/domain';
import { type Answer, failed, type HostFailure } from '../answer/index.ts';
import type { Clock } from '../store/index.ts';
import { type CallContext, failureOf, type ServerConnection } from '../sync/index.ts';
import { type CallLine, type CallListener, openCallLine } from './call-line.ts';
import { openSpokenTurn, type SpokenTurn } from './spoken-turn.ts';

export interface CloudCoach {
  /** What the server can do, as it last said; nothing while it cannot be asked. */
  offer(): Promise<CoachOffer>;
  /** Words as they come. Throws a `CoachFailed`. */
  reply(held: HeldConversation, signal: AbortSignal): AsyncGenerator<ReplyEvent>;
  /** Models on this computer that the learner may choose. */
  local(): Promise<LocalModels>;
  /** Lets the server load a model of its own before it is needed; nothing comes of it where that is of no use. */
  warmUp(): Promise<void>;
  hint(held: HeldConversation, level: 1 | 2 | 3): Promise<Answer<string[]>>;
  review(held: HeldConversation): Promise<Answer<CoachReview>>;
  translate(asked: { text: string; language: string }): Promise<Answer<string>>;
  forget(line: string): Promise<Answer<void>>;
  /**
   * What was said, in a live conversation that this device may hold for as long as its plan allows; scored where the server has somebody
   * for that, else to be scored here.
   */
  listen(said: { sessionId: SessionId; pcm: Uint8Array; takeOver: boolean }): Promise<Answer<Understood>>;
  /** The same while it is spoken, where the server has somebody who scores: then it is understood soon after its end. */
  listenAlong(said: { sessionId: SessionId; takeOver: boolean }): SpokenTurn;
  /** A line in the coach's voice, while it is made: 16-bit mono PCM at 24 kHz. Throws a `CoachFailed`. */
  speak(line: { text: string; voice: CoachVoice }, signal: AbortSignal): AsyncGenerator<Uint8Array, void>;
  /** A line on which both may speak at once; all that comes of it is told to the listener. */
  call(begin: Omit<RealtimeBegin, 'type' | 'timeZone'>, listener: CallListener): CallLine;
  /** The server is another one now, or the learner has chosen another coach. */
  forgetOffer(): void;
  /** The conversation is over, or pauses. */
  release(sessionId: SessionId): Promise<void>;
}

export interface Understood {
  text: string;
  assessment: Assessment | null;
}

/** A coach that could not go on, in the contract's codes. */
export class CoachFailed extends Error {
  readonly failure: HostFailure;

  constructor(failure: HostFailure, options?: ErrorOptions) {
    super(failure.code, options);
    this.failure = failure;
  }
}

export const NO_OFFER: CoachOffer = { coach: null, transcriber: null, scorer: null, voice: null, realtime: null };

const NO_MODELS: LocalModels = { isPossible: false, coaches: [], transcribers: [] };

const NOTHING_KNOWN = { offer: NO_OFFER, untilMs: 0 };

/** Of whoever scores alone: another who writes down may be well. */
const SCORER_FAILURES: ReadonlySet<ErrorCode> = new Set(['speech.unavailable', 'coach.misconfigured', 'coach.spent']);

/** From the first word of a long answer, such as a review, to its last. */
const ANSWER_TAKES_MS = 60_000;

/** What is configured on a server seldom changes. */
const OFFER_HOLDS_MS = 60_000;
/** Who cannot be reached, or is started and stopped by the learner, is not asked again with every screen. */
const NO_ANSWER_HOLDS_MS = 5_000;

const isOfThisComputer = ({ coach, transcriber, missing }: CoachOffer): boolean =>
  missing !== undefined || coach?.where === 'this_computer' || transcriber?.where === 'this_computer';

export interface CloudCoachParts {
  /** Null: this device has no server now. */
  connection: () => ServerConnection | null;
  clock: Clock;
  timeZone: string;
}

export function createCloudCoach({ connection, clock, timeZone }: CloudCoachParts): CloudCoach {
  let known: { offer: CoachOffer; untilMs: number } = NOTHING_KNOWN;
  let lease: { sessionId: SessionId; untilMs: number } | null = null;

  async function ask<Value>(call: (connection: ServerConnection) => Promise<Value>): Promise<Answer<Value>> {
    const server = connection();
    if (server === null) return failed('coach.unavailable');
    try {
      return ok(await call(server));
    } catch (error) {
      return { ok: false, error: coachFailure(error) };
    }
  }

  async function offer(): Promise<CoachOffer> {
    const nowMs = clock.now().getTime();
    if (nowMs < known.untilMs) return known.offer;
    const offered = await ask(({ client }) => client.coach.offer({}));
    known = {
      offer: offered.ok ? offered.value : NO_OFFER,
      untilMs: nowMs + (offered.ok && !isOfThisComputer(offered.value) ? OFFER_HOLDS_MS : NO_ANSWER_HOLDS_MS),
    };
    return known.offer;
  }

  /** A minute at a time, and the next shortly before it ends. */
  async function holdLease(sessionId: SessionId, takeOver: boolean): Promise<Answer<void>> {
    const nowMs = clock.now().getTime();
    // Another device may have taken over from a minute that still runs here: then it is taken back, not gone on with.
    const isOurs = lease?.sessionId === sessionId && lease.untilMs - nowMs > LEASE_RENEW_BEFORE_MS;
    if (isOurs && !takeOver) return ok(undefined);
    const wish = { sessionId, style: 'turn_based' as const, timeZone, takeOver };
    const taken = await ask(({ client }) => client.coach.lease(wish));
    if (!taken.ok) return taken;
    // By this device's clock, which may be days off the server's.
    lease = { sessionId, untilMs: nowMs + Math.min(LEASE_S, taken.value.remainingS ?? LEASE_S) * 1_000 };
    return ok(undefined);
  }

  /** A model that is loaded first is waited for: a call that is given up would be asked again of a model that still loads. */
  const slow = (): { context: CallContext } => {
    const firstByteMs = known.offer.coach?.firstByteMs;
    return { context: firstByteMs === undefined ? {} : { timeoutMs: firstByteMs + ANSWER_TAKES_MS } };
  };

  return {
    offer,

    async local() {
      const found = await ask(({ client }) => client.coach.local({}));
      return found.ok ? found.value : NO_MODELS;
    },

    async warmUp() {
      if ((await offer()).coach?.firstByteMs !== undefined) await ask(({ client }) => client.coach.warmUp({}));
    },

    async *reply(held, signal) {
      const server = connection();
      if (server === null) throw new CoachFailed({ code: 'coach.unavailable' });
      try {
        yield* await server.client.coach.reply(held, { signal });
      } catch (error) {
        signal.throwIfAborted();
        throw new CoachFailed(coachFailure(error), { cause: error });
      }
    },

    hint: async (held, level) => {
      const answered = await ask(({ client }) => client.coach.hint({ ...held, level }, slow()));
      return answered.ok ? ok(answered.value.hints) : answered;
    },
    review: (held) => ask(({ client }) => client.coach.review(held, slow())),
    translate: async (asked) => {
      const answered = await ask(({ client }) => client.coach.translate(asked, slow()));
      return answered.ok ? ok(answered.value.text) : answered;
    },
    // The server does it by itself: where it is out of reach, that is no fault of the coach.
    forget: async (line) => {
      const server = connection();
      if (server === null) return failed('sync.offline');
      try {
        await server.client.coach.forget({ line });
        return ok(undefined);
      } catch (error) {
        return { ok: false, error: failureOf(error) };
      }
    },

    async listen({ sessionId, pcm, takeOver }) {
      const held = await holdLease(sessionId, takeOver);
      if (!held.ok) return held;
      const { scorer, transcriber } = await offer();
      if (scorer !== null) {
        const assessed = await ask((connection) => connection.assess(sessionId, pcm));
        if (assessed.ok || transcriber === null || !SCORER_FAILURES.has(assessed.error.code)) return assessed;
      }
      const written = await ask((connection) => connection.transcribe(sessionId, pcm, slow().context.timeoutMs));
      return written.ok ? ok({ text: written.value, assessment: null }) : written;
    },

    listenAlong: ({ sessionId, takeOver }) =>
      openSpokenTurn(async (sound, signal) => {
        // A lease is taken before the end of a turn only where somebody listens before its end.
        if ((await offer()).scorer === null) return null;
        const held = await holdLease(sessionId, takeOver);
        if (!held.ok || signal.aborted) return null;
        const assessed = await ask((connection) => connection.assessWhileSpoken(sessionId, sound, signal));
        return assessed.ok ? assessed.value : null;
      }),

    async *speak(line, signal) {
      const server = connection();
      if (server === null || (await offer()).voice === null) throw new CoachFailed({ code: 'speech.unavailable' });
      try {
        yield* server.speak(line, signal);
      } catch (error) {
        signal.throwIfAborted();
        throw new CoachFailed(coachFailure(error), { cause: error });
      }
    },

    call(begin, listener) {
      const server = connection();
      if (server !== null) return openCallLine(server, { type: 'begin', timeZone, ...begin }, listener);
      queueMicrotask(() => listener.gone({ code: 'coach.unavailable' }));
      return { tell: () => undefined, sound: () => undefined, close: () => undefined };
    },

    forgetOffer() {
      known = NOTHING_KNOWN;
    },

    async release(sessionId) {
      if (lease?.sessionId !== sessionId) return;
      lease = null;
      // Should it not arrive, the lease ends by itself, within a minute.
      await ask(({ client }) => client.coach.release({ sessionId }));
    },
  };
}

/** To a learner in conversation, a server that is not there is a coach that is not there. */
function coachFailure(error: unknown): HostFailure {
  const failure = failureOf(error);
  return failure.code === 'sync.offline' || failure.code === 'request.too_many'
    ? { ...failure, code: failure.code === 'sync.offline' ? 'coach.unavailable' : 'coach.busy' }
    : failure;
}
