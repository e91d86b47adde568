/** Holding a practice, from the first line to the result. Every call leaves the device's file complete. */
import {
  Assessment,
  COMMUNICATION_STYLES,
  Feedback,
  ObjectiveId,
  PRACTICE_DIFFICULTIES,
  PRACTICE_STATUSES,
  PracticeId,
  RecordingId,
  Score,
  SessionId,
  Turn,
  TurnId,
  UNUSABLE_REASONS,
  WordToTrain,
} from '@parley/domain';
import { eventIterator } from '@orpc/contract';
import { z } from 'zod';
import type { ErrorCode } from '../errors.ts';
import { base } from './base.ts';
import { CoachCard } from './catalogue.ts';

/** 16-bit little-endian mono PCM at 16 kHz. */
export const PCM_SAMPLE_RATE_HZ: number = 16_000;
export const PCM_MEDIA_TYPE: string = 'audio/l16';
/** A turn longer than this is closed by the host; nothing that was said is dropped. */
export const MAX_TURN_MS: number = 180_000;
export const MAX_CHUNK_BYTES: number = 64_000;
/** Of one turn. */
export const MAX_TYPED_CHARACTERS: number = 600;

export const ObjectiveProgress = z.object({
  objectiveId: ObjectiveId,
  description: z.string(),
  /** The learner's own words that prove it; null while open. */
  provedBy: z.string().nullable(),
});
export type ObjectiveProgress = z.infer<typeof ObjectiveProgress>;

/** Why what was said to a live coach could not be written down. */
export const LISTENING_FAILURES = [
  'speech.unavailable',
  'coach.busy',
  'coach.misconfigured',
  'coach.spent',
  'quota.out',
  'live.elsewhere',
  'auth.required',
  'auth.device_revoked',
  'access.required',
] as const satisfies readonly ErrorCode[];
export type ListeningFailure = (typeof LISTENING_FAILURES)[number];

const Recorded = {
  turnId: TurnId,
  recordingId: RecordingId,
  /** The window or the host went away while it was being recorded: it ends where that happened. */
  isInterrupted: z.boolean(),
};

/** A turn that was spoken or typed but not yet sent to the coach. It is already durable. */
export const HeardTurn = z.discriminatedUnion('status', [
  /**
   * One of the expected replies was recognised, free speech was written down, or the learner named their line; it is scored. Free speech
   * whose sound does not bear its words out is `unusable` inside: no score of it is measured, and it can be sent all the same.
   */
  z.object({
    status: z.literal('heard'),
    ...Recorded,
    text: z.string(),
    assessment: Assessment,
  }),
  /** Usable speech, but none of the expected replies: the learner picks one, types what they said, or speaks again. */
  z.object({
    status: z.literal('not_recognised'),
    ...Recorded,
    candidates: z.array(z.string()),
    /** Why nobody wrote down what was said; null when nobody was asked, or nothing was understood. */
    failure: z.enum(LISTENING_FAILURES).nullable(),
  }),
  /** The audio cannot be scored; it is kept all the same. */
  z.object({
    status: z.literal('unusable'),
    ...Recorded,
    reason: z.enum(UNUSABLE_REASONS),
    hint: z.string(),
  }),
  /** Speech is kept but the scorer failed; its words can be sent, and are scored at the end. */
  z.object({
    status: z.literal('not_scored'),
    ...Recorded,
    candidates: z.array(z.string()),
    /** Null while nobody knows them: then the learner says what they were. */
    text: z.string().nullable(),
  }),
]);
export type HeardTurn = z.infer<typeof HeardTurn>;

/** Where in an expected text a voice is while it speaks: its first `said` characters are over. */
export const Following = z.object({ text: z.string(), said: z.number().int().min(0) });
export type Following = z.infer<typeof Following>;

/** A chunk is stored when this comes back. Following is what is known so far; null while nobody can tell. */
export const AudioAppended = z.object({ nextSeq: z.number().int().min(0), following: Following.nullable() });
export type AudioAppended = z.infer<typeof AudioAppended>;

export const AudioChunk = z.object({ seq: z.number().int().min(0), pcm: z.instanceof(Blob) });

export const SESSION_PHASES = [
  'learner_turn',
  'coach_turn',
  'paused',
  'ended',
  'scoring',
  'scored',
  'scoring_failed',
] as const;

/** `guided` follows a written dialogue, anywhere; `live` answers in words of its own, and needs a server with a coach. */
export const COACH_KINDS = ['guided', 'live'] as const;
export type CoachKind = (typeof COACH_KINDS)[number];

export const SessionView = z.object({
  sessionId: SessionId,
  practiceId: PracticeId,
  title: z.string(),
  scenario: z.string(),
  coach: CoachCard,
  difficulty: z.enum(PRACTICE_DIFFICULTIES),
  communicationStyle: z.enum(COMMUNICATION_STYLES),
  coachKind: z.enum(COACH_KINDS),
  /**
   * `learner_turn`: the coach has spoken and waits. `coach_turn`: a live coach has the word; whoever shows the session asks to hear it.
   * `ended`: the coach said goodbye; only finish is left.
   */
  phase: z.enum(SESSION_PHASES),
  turns: z.array(Turn),
  objectives: z.array(ObjectiveProgress),
  /** A turn that was recorded and waits to be sent: shown again after a crash or a restart. */
  waitingTurn: HeardTurn.nullable(),
  /** The highest hint that was opened for the turn that the learner is at; 0 when none was. */
  hintLevel: z.number().int().min(0).max(3),
  startedAt: z.date(),
  /** Seconds in conversation so far, pauses left out. */
  durationS: z.number().int(),
});
export type SessionView = z.infer<typeof SessionView>;

/** What comes while a live coach answers: perhaps that its model is being loaded first, its words, the objectives that were proved, and at the end the session with its line. */
export const CoachSpeaking = z.discriminatedUnion('type', [
  z.object({ type: z.literal('loading') }),
  z.object({ type: z.literal('words'), text: z.string() }),
  z.object({ type: z.literal('proved'), objectiveId: ObjectiveId, words: z.string() }),
  z.object({ type: z.literal('session'), session: SessionView }),
]);
export type CoachSpeaking = z.infer<typeof CoachSpeaking>;

export const DimensionResult = z.object({
  accuracy: Score.nullable(),
  fluency: Score.nullable(),
  prosody: Score.nullable(),
  completeness: Score.nullable(),
  pron: Score.nullable(),
  words: Score.nullable(),
});

export const ResultView = z.object({
  session: SessionView,
  status: z.enum(PRACTICE_STATUSES),
  overall: Score.nullable(),
  dimensions: DimensionResult,
  feedback: Feedback.nullable(),
  summary: z.string().nullable(),
  /** What was spoken and still waited when the session ended: kept on this device, and part of no score. */
  unsent: z.array(HeardTurn),
  /** A live coach could not be asked about it yet: what is said of it is what was measured. */
  isReviewWaiting: z.boolean(),
  endedAt: z.date(),
});
export type ResultView = z.infer<typeof ResultView>;

export const HistoryItem = z.object({
  sessionId: SessionId,
  practiceId: PracticeId,
  title: z.string(),
  category: z.string(),
  coachName: z.string(),
  coachAvatarUrl: z.string(),
  startedAt: z.date(),
  durationS: z.number().int(),
  status: z.enum(PRACTICE_STATUSES),
  communicationStyle: z.enum(COMMUNICATION_STYLES),
  overall: Score.nullable(),
  /** The words around the match, when a search found something that was said. */
  excerpt: z.string().nullable(),
});
export type HistoryItem = z.infer<typeof HistoryItem>;

const InSession = z.object({ sessionId: SessionId });
const OfTurn = z.object({ sessionId: SessionId, turnId: TurnId });

export const practiceContract = {
  start: base
    .input(
      z.object({
        practiceId: PracticeId,
        difficulty: z.enum(PRACTICE_DIFFICULTIES),
        communicationStyle: z.enum(COMMUNICATION_STYLES),
        coachKind: z.enum(COACH_KINDS).default('guided'),
      }),
    )
    .output(SessionView),
  session: base.input(InSession).output(SessionView),
  /**
   * Opens a recording; a turn that waited unsent is set aside (redo), its recording kept until the session is scored. A recording that was
   * never finished becomes the waiting turn instead, and `turn.interrupted` says so. The same happens when the window that records goes away.
   */
  beginTurn: base.input(InSession).output(z.object({ turnId: TurnId, recordingId: RecordingId })),
  /** Appends a chunk: `seq` counts from 0 a turn; a repeated chunk is a success, a gap is `audio.gap`. */
  appendAudio: base.input(OfTurn.extend(AudioChunk.shape)).output(AudioAppended),
  /** Closes the recording, recognises and scores it. */
  finishTurn: base.input(OfTurn.extend({ hintLevel: z.number().int().min(0).max(3) })).output(HeardTurn),
  /** Listens once more to the waiting recording: whoever writes down what was said could not be reached. */
  hearAgain: base.input(OfTurn).output(HeardTurn),
  /** "This is what I said": scores the waiting recording against the learner's own line. */
  nameTurn: base.input(OfTurn.extend({ text: z.string().min(1).max(MAX_TYPED_CHARACTERS) })).output(HeardTurn),
  /** Sends the waiting turn; the coach answers. */
  sendTurn: base.input(OfTurn).output(SessionView),
  /** The same for a turn that still waited when its session ended. */
  hearUnsent: base.input(OfTurn).output(ResultView),
  sendTyped: base
    .input(
      InSession.extend({
        text: z.string().trim().min(1).max(MAX_TYPED_CHARACTERS),
        hintLevel: z.number().int().min(0).max(3),
      }),
    )
    .output(SessionView),
  /** What was typed here and not sent: kept on this device until its turn is sent. */
  draft: base.input(InSession).output(z.object({ text: z.string() })),
  keepDraft: base.input(InSession.extend({ text: z.string().max(MAX_TYPED_CHARACTERS) })).output(z.void()),
  /**
   * Lets a live coach answer. Asked again, it begins again: its line is stored once, when it is whole. While another window hears it,
   * `live.other_window`, unless this one takes over.
   */
  hearCoach: base
    .input(InSession.extend({ takeOver: z.boolean().default(false) }))
    .output(eventIterator(CoachSpeaking)),
  /** A line of the coach in the learner's own language, by the name of that language. */
  translate: base
    .input(z.object({ text: z.string().min(1).max(4_000), language: z.string().min(2).max(60) }))
    .output(z.object({ text: z.string() })),
  /** A live conversation on another device ends for this one. */
  takeOver: base.input(InSession).output(z.void()),
  /** 1 keyword, 2 opening, 3 whole sentence: one a reply that fits here. */
  hint: base
    .input(InSession.extend({ level: z.number().int().min(1).max(3) }))
    .output(z.object({ hints: z.array(z.string()) })),
  pause: base.input(InSession).output(SessionView),
  resume: base.input(InSession).output(SessionView),
  finish: base.input(InSession).output(ResultView),
  discard: base.input(InSession).output(z.void()),
  result: base.input(InSession).output(ResultView),
  /** Tries again what nobody could write down when the session ended; its scores stay as they are. */
  writeDown: base.input(InSession).output(ResultView),
};

export const historyContract = {
  list: base
    .input(
      z.object({
        search: z.string().max(200),
        offset: z.number().int().min(0),
        limit: z.number().int().min(1).max(200),
      }),
    )
    .output(z.object({ items: z.array(HistoryItem), total: z.number().int() })),
};

export const TodayView = z.object({
  unfinished: HistoryItem.nullable(),
  suggested: z.object({ practiceId: PracticeId, reason: z.string() }).nullable(),
  wordsToTrain: z.array(WordToTrain),
  minutesThisWeek: z.number().int(),
  streakDays: z.number().int(),
});
export type TodayView = z.infer<typeof TodayView>;

export const todayContract = {
  overview: base.input(z.void()).output(TodayView),
};
