/** What a device asks of the coach that the server can call: what there is, its words, its judgement, and the time that it may take. */
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
import { LOCAL_PARTS, LocalModels } from './local-models.ts';

export const MAX_HELD_TURNS: number = 200;
/** A turn of three minutes, and the rest of the chunk in which they end. */
export const MAX_SPEECH_BYTES: number = 182 * 32_000;

/** The next minute is asked for when less than this is left of the one that was leased. */
export const LEASE_RENEW_BEFORE_MS: number = 10_000;

/** Where a service runs: with its maker, on a machine or in a network of whoever runs this server, on the learner's own machine, or with another company. */
export const AI_PLACES = ['openai', 'azure', 'own', 'this_computer', 'other'] as const;
export type AiPlace = (typeof AI_PLACES)[number];

/** Nobody is to be paid for it. */
export const isFreePlace = (place: AiPlace): boolean => place === 'own' || place === 'this_computer';

const Service = z.strictObject({ where: z.enum(AI_PLACES), name: z.string().max(200) });

/** What this server can do beyond what every device does by itself; null is not configured. */
export const CoachOffer = z.strictObject({
  /** `firstByteMs`: how long an answer may take to begin while a model is loaded; absent where a coach is always ready. */
  coach: Service.extend({ firstByteMs: z.number().int().min(0).optional() }).nullable(),
  transcriber: Service.nullable(),
  scorer: Service.nullable(),
  voice: Service.nullable(),
  /** A coach who listens while it speaks. */
  realtime: Service.nullable(),
  /** What the learner has chosen on this computer and is not there now; absent where all of it is. */
  missing: z.array(z.enum(LOCAL_PARTS)).optional(),
});
export type CoachOffer = z.infer<typeof CoachOffer>;

/** A turn without its scores: a coach answers words. */
const HeldTurn = z.discriminatedUnion('role', [CoachTurn, LearnerTurn.extend({ assessment: z.null() })]);

/** A conversation as far as it has come. Practice, coach, learner and what is remembered the server reads for itself. */
export const HeldConversation = z.strictObject({
  sessionId: SessionId,
  practiceId: PracticeId,
  agentId: CoachId,
  difficulty: z.enum(PRACTICE_DIFFICULTIES),
  turns: z.array(HeldTurn).max(MAX_HELD_TURNS),
  completed: z.array(ObjectiveId).max(40),
});
export type HeldConversation = z.infer<typeof HeldConversation>;

/** What comes while a coach answers. `loading`, once at most and before all else: its model is being brought into memory. */
export const ReplyEvent = z.discriminatedUnion('type', [
  ...CoachEvent.options,
  z.object({ type: z.literal('loading') }),
]);
export type ReplyEvent = z.infer<typeof ReplyEvent>;

/** How long the coach may go on, and what is left after that; null where nothing is counted. */
export const Lease = z.strictObject({
  expiresAt: z.iso.datetime(),
  remainingS: z.number().int().min(0).nullable(),
});
export type Lease = z.infer<typeof Lease>;

export const coachServerContract = {
  offer: serverBase
    .route({ method: 'GET', path: '/v1/coach', summary: 'What this server can do beyond what a device does by itself' })
    .input(z.strictObject({}).optional())
    .output(CoachOffer),
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
        /** IANA name: a free plan begins anew at the learner's midnight. */
        timeZone: z.string().max(80),
        /** Whether a conversation on another device ends for this one. */
        takeOver: z.boolean(),
      }),
    )
    .output(Lease),
  release: serverBase
    .route({ method: 'POST', path: '/v1/coach/release', summary: 'The live conversation is over, or pauses' })
    .input(
      z.strictObject({
        sessionId: SessionId,
        /** What older apps say of the learner's speech. It changes nothing: the server counts what it has served. */
        spokenS: z.number().int().min(0).max(86_400).optional(),
      }),
    )
    .output(z.strictObject({})),
  reply: serverBase
    .route({ method: 'POST', path: '/v1/coach/reply', summary: "The coach's next line, as it comes" })
    .input(HeldConversation)
    .output(eventIterator(ReplyEvent)),
  warmUp: serverBase
    .route({ method: 'POST', path: '/v1/coach/warm-up', summary: 'A conversation is about to begin: load the model' })
    .input(z.strictObject({}))
    .output(z.strictObject({})),
  hint: serverBase
    .route({ method: 'POST', path: '/v1/coach/hint', summary: 'What the learner could say now' })
    .input(HeldConversation.extend({ level: z.union([z.literal(1), z.literal(2), z.literal(3)]) }))
    .output(z.strictObject({ hints: z.array(z.string().max(600)).max(3) })),
  review: serverBase
    .route({ method: 'POST', path: '/v1/coach/review', summary: 'What the coach says of a conversation that is over' })
    .input(HeldConversation)
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

/** What `POST /v1/speech/speak` is asked; it answers 16-bit little-endian mono PCM at 24 kHz, as it is made. */
export const SpeakLine = z.strictObject({ text: z.string().min(1).max(4_000), voice: CoachVoice });
export const SPOKEN_SAMPLE_RATE_HZ: number = 24_000;

/** What `POST /v1/speech/assess` answers: what was said, and how well; its body is the sound, sent as it is spoken or at once. */
export const Assessed = z.strictObject({ text: z.string().max(4_000), assessment: Assessment });
export type Assessed = z.infer<typeof Assessed>;

/** What `POST /v1/speech/transcribe` answers; its body is the sound itself, 16-bit little-endian mono PCM at 16 kHz. */
export const Transcribed = z.strictObject({ text: z.string().max(4_000) });
