/** The coach API: what the server offers, replies, reviews and leases. */
import { eventIterator } from '@orpc/contract';
import {
  Assessment,
  CoachEvent,
  CoachId,
  CoachReview,
  CoachTurn,
  CoachVoice,
  LearnerTurn,
  ObjectiveId,
  PRACTICE_DIFFICULTIES,
  PRACTICE_STYLES,
  PracticeId,
  SessionId,
} from '@parley/domain';
import { z } from 'zod';
import { serverBase } from './base.ts';
import { REPLY_PATH } from './endpoints.ts';
import { LOCAL_PARTS, LocalModels } from './local-models.ts';

export const MAX_SNAPSHOT_TURNS: number = 200;
/** Three minutes, plus the rest of the last chunk. */
export const MAX_SPEECH_BYTES: number = 182 * 32_000;

/** A lease is renewed when less than this is left of it. */
export const LEASE_RENEW_BEFORE_MS: number = 10_000;

/** Where a service runs: at OpenAI or Azure, on the operator's own machines, on the learner's computer, or at another company. */
export const SERVICE_LOCATIONS = ['openai', 'azure', 'own', 'this_computer', 'other'] as const;
export type ServiceLocation = (typeof SERVICE_LOCATIONS)[number];

/** True for services that cost nothing per use. */
export const isFreeLocation = (location: ServiceLocation): boolean =>
  location === 'own' || location === 'this_computer';

const Service = z.strictObject({ where: z.enum(SERVICE_LOCATIONS), name: z.string().max(200) });

/** What this server offers beyond each device's own abilities; null when it is not configured. */
export const CoachAvailability = z.strictObject({
  /** `firstByteMs` is how long a reply may take to start while the model is loaded; absent when the coach is always ready. */
  coach: Service.extend({ firstByteMs: z.number().int().min(0).optional() }).nullable(),
  transcriber: Service.nullable(),
  scorer: Service.nullable(),
  voice: Service.nullable(),
  /** A coach for realtime sessions. */
  realtime: Service.nullable(),
  /**
   * Models on this computer that the learner chose and that are currently unavailable; absent when all are available.
   */
  missing: z.array(z.enum(LOCAL_PARTS)).optional(),
});
export type CoachAvailability = z.infer<typeof CoachAvailability>;

/** A turn without its assessment, which a coach does not need. */
const SnapshotTurn = z.discriminatedUnion('role', [CoachTurn, LearnerTurn.extend({ assessment: z.null() })]);

/** The conversation so far. The server reads the practice, the coach, the learner and the memory itself. */
export const ConversationSnapshot = z.strictObject({
  sessionId: SessionId,
  practiceId: PracticeId,
  agentId: CoachId,
  difficulty: z.enum(PRACTICE_DIFFICULTIES),
  turns: z.array(SnapshotTurn).max(MAX_SNAPSHOT_TURNS),
  completed: z.array(ObjectiveId).max(40),
});
export type ConversationSnapshot = z.infer<typeof ConversationSnapshot>;

/** Events of a reply. `loading` is sent at most once, before all others, while the model is being loaded. */
export const ReplyEvent = z.discriminatedUnion('type', [
  ...CoachEvent.options,
  z.object({ type: z.literal('loading') }),
]);
export type ReplyEvent = z.infer<typeof ReplyEvent>;

/** When the lease expires, and the allowance after it; null when usage is not metered. */
export const Lease = z.strictObject({
  expiresAt: z.iso.datetime(),
  remainingS: z.number().int().min(0).nullable(),
});
export type Lease = z.infer<typeof Lease>;

export const coachServerContract = {
  offer: serverBase
    .route({ method: 'GET', path: '/v1/coach', summary: 'What this server can do beyond what a device does by itself' })
    .input(z.strictObject({}).optional())
    .output(CoachAvailability),
  local: serverBase
    .route({ method: 'GET', path: '/v1/coach/local', summary: 'Models on the machine that both of us run on' })
    .input(z.strictObject({}).optional())
    .output(LocalModels),
  lease: serverBase
    .route({ method: 'POST', path: '/v1/coach/lease', summary: 'A minute of live conversation, or the next one' })
    .input(
      z.strictObject({
        sessionId: SessionId,
        style: z.enum(PRACTICE_STYLES),
        /** IANA name, because the free plan resets at the learner's midnight. */
        timeZone: z.string().max(80),
        /** Whether a conversation on another device ends in favour of this one. */
        takeOver: z.boolean(),
      }),
    )
    .output(Lease),
  release: serverBase
    .route({ method: 'POST', path: '/v1/coach/release', summary: 'The live conversation is over, or pauses' })
    .input(
      z.strictObject({
        sessionId: SessionId,
        /** Sent by older apps and ignored: the server meters what it has served. */
        spokenS: z.number().int().min(0).max(86_400).optional(),
      }),
    )
    .output(z.strictObject({})),
  reply: serverBase
    .route({ method: 'POST', path: REPLY_PATH, summary: "The coach's next line, as it comes" })
    .input(ConversationSnapshot)
    .output(eventIterator(ReplyEvent)),
  warmUp: serverBase
    .route({ method: 'POST', path: '/v1/coach/warm-up', summary: 'A conversation is about to begin: load the model' })
    .input(z.strictObject({}))
    .output(z.strictObject({})),
  hint: serverBase
    .route({ method: 'POST', path: '/v1/coach/hint', summary: 'What the learner could say now' })
    .input(ConversationSnapshot.extend({ level: z.union([z.literal(1), z.literal(2), z.literal(3)]) }))
    .output(z.strictObject({ hints: z.array(z.string().max(600)).max(3) })),
  review: serverBase
    .route({ method: 'POST', path: '/v1/coach/review', summary: 'What the coach says of a conversation that is over' })
    .input(ConversationSnapshot)
    .output(CoachReview),
  translate: serverBase
    .route({ method: 'POST', path: '/v1/coach/translate', summary: "A coach's line in the learner's own language" })
    .input(z.strictObject({ text: z.string().min(1).max(4_000), language: z.string().min(2).max(60) }))
    .output(z.strictObject({ text: z.string() })),
  forget: serverBase
    .route({ method: 'POST', path: '/v1/coach/forget', summary: 'A line that the coach must not remember any more' })
    .input(z.strictObject({ line: z.string().min(1).max(400) }))
    .output(z.strictObject({})),
};

/** The body of `POST /v1/speech/speak`, which streams 16-bit little-endian mono PCM at 24 kHz as it is synthesised. */
export const SpeakRequest = z.strictObject({ text: z.string().min(1).max(4_000), voice: CoachVoice });

/** The reply of `POST /v1/speech/assess`. The request body is the audio, streamed while it is spoken or sent at once. */
export const AssessResponse = z.strictObject({ text: z.string().max(4_000), assessment: Assessment });
export type AssessResponse = z.infer<typeof AssessResponse>;

/** The reply of `POST /v1/speech/transcribe`. The request body is 16-bit little-endian mono PCM at 16 kHz. */
export const TranscribeResponse = z.strictObject({ text: z.string().max(4_000) });
