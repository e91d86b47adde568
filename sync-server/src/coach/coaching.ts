/** Runs a learner's coach calls: each is admitted, built from the server's own rows and recorded in the ledger. */
import { createModelCoach, type LanguageModel, translateUtterance } from '@parley/coach/model';
import {
  type ServiceLocation,
  type AssessResponse,
  type CoachAvailability,
  type ConversationSnapshot,
  isFreeLocation,
  type ReplyEvent,
} from '@parley/contract';
import { type CoachReview, type CoachVoice, ServiceFailure } from '@parley/domain';
import type { Coach } from '@parley/coach';
import type { SignedInDevice } from '../account/index.ts';
import type { Database } from '../db/client.ts';
import { DomainError } from '../domain-error.ts';
import {
  transcriptionCostMicros,
  type Leases,
  type Ledger,
  type Reservation,
  type SpeechUsageMeter,
} from '../metering/index.ts';
import {
  type OnRecognitionPass,
  type PronunciationAssessor,
  type RealtimeVoice,
  type Synthesiser,
  type Transcriber,
} from '../ports/speech/index.ts';
import type { Memory } from './memory.ts';
import { createMeteredModel } from './metered-model.ts';
import { createMeteredVoice } from './metered-voice.ts';
import { readScene } from './read-scene.ts';
import { announceLoading } from './announce-loading.ts';
import { limitUtteranceLength } from './limit-utterance.ts';

export interface AiServices {
  /** `firstByteMs` is how long the first byte of its reply may take, if longer than usual. */
  coach: { where: ServiceLocation; model: LanguageModel; firstByteMs?: number | null } | null;
  transcriber: { where: ServiceLocation; transcriber: Transcriber } | null;
  assessor: { where: ServiceLocation; assessor: PronunciationAssessor } | null;
  voice: { where: ServiceLocation; synthesiser: Synthesiser } | null;
}

/** A realtime voice and where it runs. */
export interface RealtimeService {
  where: ServiceLocation;
  voice: RealtimeVoice;
}

export interface Coaching {
  offer: () => CoachAvailability;
  reply: (device: SignedInDevice, held: ConversationSnapshot, signal: AbortSignal) => AsyncGenerator<ReplyEvent>;
  /** Starts loading a self-hosted model that is not in memory, without waiting for it. */
  warmUp: () => void;
  hint: (
    device: SignedInDevice,
    held: ConversationSnapshot,
    asked: { level: 1 | 2 | 3; signal: AbortSignal },
  ) => Promise<string[]>;
  review: (device: SignedInDevice, held: ConversationSnapshot, signal: AbortSignal) => Promise<CoachReview>;
  translate: (
    device: SignedInDevice,
    asked: { text: string; language: string; signal: AbortSignal },
  ) => Promise<string>;
  /** Transcribes an utterance of a session whose lease this device holds. */
  transcribe: (
    device: SignedInDevice,
    said: { sessionId: string; sound: AsyncIterable<Uint8Array>; signal: AbortSignal },
  ) => Promise<string>;
  /** Transcribes and assesses an utterance; the audio may arrive while it is spoken. */
  assess: (
    device: SignedInDevice,
    said: { sessionId: string; referenceText: string | null; sound: AsyncIterable<Uint8Array>; signal: AbortSignal },
  ) => Promise<AssessResponse>;
  /** Speaks an utterance as PCM at 24 kHz and yields the audio as it is generated. */
  speak: (
    device: SignedInDevice,
    utterance: { text: string; voice: CoachVoice; signal: AbortSignal },
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
    if (services.coach === null) throw new DomainError('coach.unavailable');
    const { where, model } = services.coach;
    return createMeteredModel(model, {
      ledger,
      newId,
      userId: device.userId,
      sessionId,
      isFree: isFreeLocation(where),
    });
  }

  async function coachFor(device: SignedInDevice, held: ConversationSnapshot): Promise<Coach> {
    const model = modelFor(device, held.sessionId);
    const { userId } = device;
    const scene = await readScene(db, { userId, practiceId: held.practiceId, agentId: held.agentId });
    return createModelCoach({ model, difficulty: held.difficulty, ...scene });
  }

  const recordPasses =
    (
      use: 'transcribe' | 'assess',
      {
        device,
        sessionId,
        where,
        model,
      }: { device: SignedInDevice; sessionId: string; where: ServiceLocation; model: string },
    ): OnRecognitionPass =>
    (pass) =>
      ledger.record({
        id: newId(),
        userId: device.userId,
        sessionId,
        use,
        style: 'turn_based',
        costMicros: isFreeLocation(where) ? 0 : transcriptionCostMicros(model, pass),
        model,
      });

  /** Reserves budget for usage that takes live minutes, or returns null when the service is free. */
  const reserveLeased = async (
    { userId }: SignedInDevice,
    where: ServiceLocation,
    costMicros: number,
  ): Promise<Reservation | null> =>
    isFreeLocation(where) ? null : ledger.reserve({ userId, costMicros, isLeased: true });

  const toModelConversation = ({ turns, completed }: ConversationSnapshot) => ({
    turns,
    completed: completed.map((objectiveId) => ({ objectiveId })),
  });

  return {
    offer: () => ({
      coach: services.coach === null ? null : toCoachOffer(services.coach),
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
      const coach = await coachFor(device, held);
      yield* announceLoading(coach.reply(toModelConversation(held), signal), services.coach?.model.loading ?? null);
    },

    warmUp() {
      // An error here is ignored, because the learner's next request reports it.
      services.coach?.model.loading?.load(new AbortController().signal).catch(() => undefined);
    },

    async hint(device, held, asked) {
      return await (await coachFor(device, held)).hint(toModelConversation(held), asked);
    },

    async review(device, held, signal) {
      const review = await (await coachFor(device, held)).review(toModelConversation(held), signal);
      await memory.add(device.userId, review.remember);
      return review;
    },

    async translate(device, asked) {
      return await translateUtterance({ model: modelFor(device, null), ...asked });
    },

    async transcribe(device, { sessionId, sound, signal }) {
      if (services.transcriber === null) throw new DomainError('speech.unavailable');
      const { where, transcriber } = services.transcriber;
      const meter = await leases.requireHeld(device, sessionId);
      const { name: model } = transcriber;
      // The provider takes a recording in one piece, so it is read only after the lease has been checked.
      const pcm: Uint8Array[] = [];
      for await (const piece of limitUtteranceLength(sound)) pcm.push(piece);
      const bytes = pcm.reduce((sum, piece) => sum + piece.byteLength, 0);
      const seconds = bytes / SPEECH_BYTES_A_SECOND;
      const reservation = await reserveLeased(
        device,
        where,
        transcriptionCostMicros(model, { seconds, isScored: false }),
      );
      const heard = recordPasses('transcribe', { device, sessionId, where, model });
      try {
        const text = await transcriber.transcribe({ pcm, signal, heard });
        await meterSpeech(meter, { text, bytes });
        return text;
      } catch (error) {
        await meterUntranscribed(meter, { error, bytes });
        throw error;
      } finally {
        await reservation?.release();
      }
    },

    async assess(device, { sessionId, referenceText, sound, signal }) {
      if (services.assessor === null) throw new DomainError('speech.unavailable');
      const { where, assessor } = services.assessor;
      const meter = await leases.requireHeld(device, sessionId);
      const { name: model } = assessor;
      // Free speech is transcribed first and then assessed, so it is charged twice.
      const costMicros = (seconds: number): number =>
        transcriptionCostMicros(model, { seconds, isScored: true }) +
        (referenceText === null ? transcriptionCostMicros(model, { seconds, isScored: false }) : 0);
      const reservation = await reserveLeased(device, where, costMicros(SPEECH_RESERVATION_S));
      let reservedS = SPEECH_RESERVATION_S;
      const heard = recordPasses('assess', { device, sessionId, where, model });
      let bytes = 0;
      try {
        const stream = assessor.open({ referenceText, signal, heard });
        for await (const pcm of limitUtteranceLength(sound)) {
          bytes += pcm.byteLength;
          if (bytes > reservedS * SPEECH_BYTES_A_SECOND) {
            reservedS += SPEECH_RESERVATION_S;
            await reservation?.renew(costMicros(reservedS));
          }
          stream.write(pcm);
        }
        const assessed = await stream.end();
        await meterSpeech(meter, { text: assessed.text, bytes });
        return assessed;
      } catch (error) {
        await meterUntranscribed(meter, { error, bytes });
        throw error;
      } finally {
        await reservation?.release();
      }
    },

    async *speak(device, utterance) {
      if (services.voice === null) throw new DomainError('speech.unavailable');
      yield* createMeteredVoice(services.voice, { ledger, newId })(device.userId, utterance);
    },
  };
}

function toCoachOffer({
  where,
  model,
  firstByteMs = null,
}: NonNullable<AiServices['coach']>): CoachAvailability['coach'] {
  return { where, name: model.name, ...(firstByteMs === null ? {} : { firstByteMs }) };
}

const SPEECH_BYTES_A_SECOND = 32_000;
/** The length of a streamed turn is not known in advance, so its cost is reserved in steps. */
const SPEECH_RESERVATION_S = 20;

/** A muted microphone uses no live minutes, within a limit. */
async function meterSpeech(meter: SpeechUsageMeter, { text, bytes }: { text: string; bytes: number }): Promise<void> {
  const seconds = bytes / SPEECH_BYTES_A_SECOND;
  await (text.trim() === '' ? meter.recordWordless(seconds) : meter.recordSpeech(seconds));
}

/** The provider charges for audio that the device sent before it cancelled the request. */
async function meterUntranscribed(
  meter: SpeechUsageMeter,
  { error, bytes }: { error: unknown; bytes: number },
): Promise<void> {
  if (error instanceof ServiceFailure) await meter.recordFailure();
  else if (bytes > 0) await meter.recordWordless(bytes / SPEECH_BYTES_A_SECOND);
}
