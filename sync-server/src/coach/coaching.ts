/** The coach that this server calls: each call is admitted, answered out of the learner's own rows, and written into the ledger. */
import { createModelCoach, type LanguageModel, ModelFailure, translateLine } from '@parley/coach/model';
import {
  type AiPlace,
  type Assessed,
  type CoachOffer,
  type HeldConversation,
  isFreePlace,
  MAX_SPEECH_BYTES,
  type ReplyEvent,
} from '@parley/contract';
import { assertNever, type CoachReview, type CoachVoice } from '@parley/domain';
import { type Coach, NothingToAnswer } from '@parley/coach';
import type { SignedInDevice } from '../account/index.ts';
import type { Database } from '../db/client.ts';
import { failure } from '../failure.ts';
import {
  heardCostMicros,
  type Leases,
  type Ledger,
  type Reservation,
  type SpeechMeter,
  spokenCostMicros,
} from '../metering/index.ts';
import {
  type HeardPassed,
  type PronunciationAssessor,
  type RealtimeVoice,
  SpeechFailure,
  type Synthesiser,
  type Transcriber,
} from '../speech/index.ts';
import type { Memory } from './memory.ts';
import { metered } from './metered-model.ts';
import { readScene } from './scene.ts';
import { tellOfLoading } from './tell-of-loading.ts';

export interface AiServices {
  /** `firstByteMs`: how long its answer may take to begin, where that is longer than usual. */
  coach: { where: AiPlace; model: LanguageModel; firstByteMs?: number | null } | null;
  transcriber: { where: AiPlace; transcriber: Transcriber } | null;
  assessor: { where: AiPlace; assessor: PronunciationAssessor } | null;
  voice: { where: AiPlace; synthesiser: Synthesiser } | null;
}

/** Who can listen and speak at once. */
export interface RealtimeService {
  where: AiPlace;
  voice: RealtimeVoice;
}

export interface Coaching {
  offer: () => CoachOffer;
  reply: (device: SignedInDevice, held: HeldConversation, signal: AbortSignal) => AsyncGenerator<ReplyEvent>;
  /** Begins to load a model of one's own, if it is not in memory; whoever asks for it does not wait. */
  warmUp: () => void;
  hint: (
    device: SignedInDevice,
    held: HeldConversation,
    asked: { level: 1 | 2 | 3; signal: AbortSignal },
  ) => Promise<string[]>;
  review: (device: SignedInDevice, held: HeldConversation, signal: AbortSignal) => Promise<CoachReview>;
  translate: (
    device: SignedInDevice,
    asked: { text: string; language: string; signal: AbortSignal },
  ) => Promise<string>;
  /** Of a live conversation that this device holds. */
  transcribe: (
    device: SignedInDevice,
    said: { sessionId: string; sound: AsyncIterable<Uint8Array>; signal: AbortSignal },
  ) => Promise<string>;
  /** The same, scored by who listens; the sound may come while it is spoken. */
  assess: (
    device: SignedInDevice,
    said: { sessionId: string; referenceText: string | null; sound: AsyncIterable<Uint8Array>; signal: AbortSignal },
  ) => Promise<Assessed>;
  /** A line as sound, PCM at 24 kHz, in pieces as they are made. */
  speak: (
    device: SignedInDevice,
    line: { text: string; voice: CoachVoice; signal: AbortSignal },
  ) => AsyncGenerator<Uint8Array>;
}

export interface CoachingParts {
  db: Database;
  services: AiServices;
  realtime: RealtimeService | null;
  ledger: Ledger;
  leases: Leases;
  memory: Memory;
  newId: () => string;
}

export function createCoaching(parts: CoachingParts): Coaching {
  const { db, services, realtime, ledger, leases, memory, newId } = parts;

  function modelFor(device: SignedInDevice, sessionId: string | null): LanguageModel {
    if (services.coach === null) throw failure('coach.unavailable');
    const { where, model } = services.coach;
    return metered(model, { ledger, newId, userId: device.userId, sessionId, isFree: isFreePlace(where) });
  }

  async function coachFor(device: SignedInDevice, held: HeldConversation): Promise<Coach> {
    const model = modelFor(device, held.sessionId);
    const { userId } = device;
    const scene = await readScene(db, { userId, practiceId: held.practiceId, agentId: held.agentId });
    return createModelCoach({ model, difficulty: held.difficulty, ...scene });
  }

  const noteHeard =
    (
      use: 'transcribe' | 'assess',
      { device, sessionId, where, model }: { device: SignedInDevice; sessionId: string; where: AiPlace; model: string },
    ): HeardPassed =>
    (pass) =>
      ledger.note({
        id: newId(),
        userId: device.userId,
        sessionId,
        use,
        style: 'turn_based',
        costMicros: isFreePlace(where) ? 0 : heardCostMicros(model, pass),
        model,
      });

  /** For what takes live minutes; null for what costs nothing. */
  const reserveLeased = async (
    { userId }: SignedInDevice,
    where: AiPlace,
    costMicros: number,
  ): Promise<Reservation | null> =>
    isFreePlace(where) ? null : ledger.reserve({ userId, costMicros, isLeased: true });

  const heldBy = ({ turns, completed }: HeldConversation) => ({
    turns,
    completed: completed.map((objectiveId) => ({ objectiveId })),
  });

  return {
    offer: () => ({
      coach: services.coach === null ? null : coachOffered(services.coach),
      transcriber:
        services.transcriber === null
          ? null
          : { where: services.transcriber.where, name: services.transcriber.transcriber.name },
      scorer:
        services.assessor === null ? null : { where: services.assessor.where, name: services.assessor.assessor.name },
      voice: services.voice === null ? null : { where: services.voice.where, name: services.voice.synthesiser.name },
      realtime: realtime === null ? null : { where: realtime.where, name: realtime.voice.name },
    }),

    async *reply(device, held, signal) {
      try {
        const coach = await coachFor(device, held);
        yield* tellOfLoading(coach.reply(heldBy(held), signal), services.coach?.model.loading ?? null);
      } catch (error) {
        throw sorted(error);
      }
    },

    warmUp() {
      // What speaks against it, the learner is told when they ask something.
      services.coach?.model.loading?.load(new AbortController().signal).catch(() => undefined);
    },

    async hint(device, held, asked) {
      try {
        return await (await coachFor(device, held)).hint(heldBy(held), asked);
      } catch (error) {
        throw sorted(error);
      }
    },

    async review(device, held, signal) {
      try {
        const review = await (await coachFor(device, held)).review(heldBy(held), signal);
        await memory.add(device.userId, review.remember);
        return review;
      } catch (error) {
        throw sorted(error);
      }
    },

    async translate(device, asked) {
      try {
        return await translateLine({ model: modelFor(device, null), ...asked });
      } catch (error) {
        throw sorted(error);
      }
    },

    async transcribe(device, { sessionId, sound, signal }) {
      if (services.transcriber === null) throw failure('speech.unavailable');
      const { where, transcriber } = services.transcriber;
      const meter = await leases.require(device, sessionId);
      const { name: model } = transcriber;
      // The provider takes a recording in one piece: it is read only after the lease was checked.
      const pieces: Uint8Array[] = [];
      for await (const piece of upToLongest(sound)) pieces.push(piece);
      const pcm = Buffer.concat(pieces);
      const seconds = pcm.byteLength / SPEECH_BYTES_A_SECOND;
      const reservation = await reserveLeased(device, where, heardCostMicros(model, { seconds, isScored: false }));
      const heard = noteHeard('transcribe', { device, sessionId, where, model });
      try {
        const text = await transcriber.transcribe({ pcm, signal, heard });
        await meterSpeech(meter, { text, bytes: pcm.byteLength });
        return text;
      } catch (error) {
        if (error instanceof SpeechFailure) await meter.failed();
        throw sorted(error);
      } finally {
        await reservation?.release();
      }
    },

    async assess(device, { sessionId, referenceText, sound, signal }) {
      if (services.assessor === null) throw failure('speech.unavailable');
      const { where, assessor } = services.assessor;
      const meter = await leases.require(device, sessionId);
      const { name: model } = assessor;
      // Free speech is listened to twice.
      const costMicros = (seconds: number): number =>
        heardCostMicros(model, { seconds, isScored: true }) +
        (referenceText === null ? heardCostMicros(model, { seconds, isScored: false }) : 0);
      const reservation = await reserveLeased(device, where, costMicros(RESERVED_SPEECH_S));
      let reservedS = RESERVED_SPEECH_S;
      const heard = noteHeard('assess', { device, sessionId, where, model });
      try {
        const listening = assessor.open({ referenceText, signal, heard });
        let bytes = 0;
        for await (const pcm of upToLongest(sound)) {
          bytes += pcm.byteLength;
          if (bytes > reservedS * SPEECH_BYTES_A_SECOND) {
            reservedS += RESERVED_SPEECH_S;
            await reservation?.renew(costMicros(reservedS));
          }
          listening.write(pcm);
        }
        const assessed = await listening.end();
        await meterSpeech(meter, { text: assessed.text, bytes });
        return assessed;
      } catch (error) {
        if (error instanceof SpeechFailure) await meter.failed();
        throw sorted(error);
      } finally {
        await reservation?.release();
      }
    },

    async *speak(device, { text, voice, signal }) {
      if (services.voice === null) throw failure('speech.unavailable');
      const { where, synthesiser } = services.voice;
      const isFree = isFreePlace(where);
      const costMicros = isFree ? 0 : spokenCostMicros(synthesiser.name, text);
      const reservation = isFree ? null : await ledger.reserve({ userId: device.userId, costMicros, isLeased: false });
      const spoken = (): Promise<void> =>
        ledger.note({
          id: newId(),
          userId: device.userId,
          sessionId: null,
          use: 'speak',
          style: 'turn_based',
          costMicros,
          model: synthesiser.name,
        });
      try {
        yield* synthesiser.speak({ text, voice, signal, spoken });
      } catch (error) {
        throw sorted(error);
      } finally {
        await reservation?.release();
      }
    },
  };
}

function coachOffered({ where, model, firstByteMs = null }: NonNullable<AiServices['coach']>): CoachOffer['coach'] {
  return { where, name: model.name, ...(firstByteMs === null ? {} : { firstByteMs }) };
}

const SPEECH_BYTES_A_SECOND = 32_000;
/** Nobody knows beforehand how long a turn will be that is heard while it is spoken. */
const RESERVED_SPEECH_S = 20;

/** Sound without a word in it is no speech: a microphone that is off costs nobody a minute. */
async function meterSpeech(meter: SpeechMeter, { text, bytes }: { text: string; bytes: number }): Promise<void> {
  if (text.trim() !== '') await meter.heard(bytes / SPEECH_BYTES_A_SECOND);
}

/** Of one utterance. */
async function* upToLongest(sound: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let bytes = 0;
  for await (const pcm of wholeSamples(sound)) {
    bytes += pcm.byteLength;
    if (bytes > MAX_SPEECH_BYTES) throw failure('request.too_large');
    yield pcm;
  }
}

/** A network cuts where it likes, also through a sample of two bytes. */
async function* wholeSamples(sound: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let left: Uint8Array = new Uint8Array();
  for await (const piece of sound) {
    const bytes = Buffer.concat([left, piece]);
    const whole = bytes.byteLength - (bytes.byteLength % 2);
    left = bytes.subarray(whole);
    if (whole > 0) yield bytes.subarray(0, whole);
  }
  if (left.byteLength > 0) throw failure('request.invalid', { detail: 'half a sample' });
}

/** In the contract's codes; everything that is none of the services' failures stays what it is. */
function sorted(error: unknown): unknown {
  if (error instanceof SpeechFailure)
    return failure(error.reason === 'key_refused' ? 'coach.misconfigured' : 'speech.unavailable');
  if (error instanceof NothingToAnswer) return failure('turn.not_ready', { detail: 'coach' });
  if (!(error instanceof ModelFailure)) return error;
  switch (error.reason) {
    case 'key_refused':
      return failure('coach.misconfigured');
    case 'busy':
      return failure('coach.busy');
    case 'declined':
      return failure('coach.declined');
    case 'unreachable':
    case 'malformed':
      return failure('coach.unavailable', { detail: error.reason });
    default:
      return assertNever(error.reason);
  }
}
