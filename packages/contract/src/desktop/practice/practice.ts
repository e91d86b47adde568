/** Runs a practice session from the first turn to the result. Every procedure leaves the local database consistent. */
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
  UNUSABLE_CAUSES,
  UNUSABLE_REASONS,
} from '@parley/domain';
import { eventIterator } from '@orpc/contract';
import { z } from 'zod';
import type { ErrorCode } from '../../errors.ts';
import { base } from '../base.ts';
import { CoachCard } from '../content/catalogue.ts';
import { CoursePlace } from '../content/courses.ts';
import { TypedText } from '../typed-text.ts';

/** The host closes a longer turn, keeping everything that was recorded. */
export const MAX_TURN_MS: number = 180_000;
export const MAX_CHUNK_BYTES: number = 64_000;
/** The limit of one typed turn. */
export const MAX_TYPED_CHARACTERS: number = 600;
/** For a coach's reply that the learner interrupts. */
export const MAX_HEARD_CHARACTERS: number = 3_900;

export const ObjectiveProgress = z.object({
  objectiveId: ObjectiveId,
  description: z.string(),
  /** The quote from the learner that proves it; null while open. */
  provedBy: z.string().nullable(),
  /** The turn of that quote; null while open. */
  provedIn: TurnId.nullable(),
});
export type ObjectiveProgress = z.infer<typeof ObjectiveProgress>;

/** Reasons why speech to a live coach could not be transcribed. */
export const TRANSCRIPTION_FAILURES = [
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
export type TranscriptionFailure = (typeof TRANSCRIPTION_FAILURES)[number];

const recordedTurnFields = {
  turnId: TurnId,
  recordingId: RecordingId,
  /** True when the window or the host stopped during the recording, which ends at that point. */
  isInterrupted: z.boolean(),
};

export const TranscribedWord = z.object({
  /** The word with its punctuation, as in the text. */
  word: z.string(),
  /** 0-1: how probably this word was said and no other. */
  confidence: z.number().min(0).max(1),
  /** Other words that may have been said here, most probable first. */
  alternatives: z.array(z.string()),
});
export type TranscribedWord = z.infer<typeof TranscribedWord>;

/** A turn that was recorded but not yet sent to the coach. It is already stored durably. */
export const WaitingTurn = z.discriminatedUnion('status', [
  /** The recording is still being assessed, for example after a restart. `practice_history` changes when it has been. */
  z.object({ status: z.literal('assessing'), ...recordedTurnFields }),
  /**
   * An expected reply was recognised, free speech was transcribed, or the learner confirmed the text; the turn is assessed. When the audio
   * does not match the transcript of free speech, the assessment inside is unusable: the turn has no score but can still be sent.
   */
  z.object({
    status: z.literal('heard'),
    ...recordedTurnFields,
    text: z.string(),
    assessment: Assessment,
    /** The words of the text, when this computer transcribed it: some may be wrong, and the learner can correct them. */
    words: z.array(TranscribedWord).optional(),
  }),
  /**
   * The speech is usable but matches no expected reply: the learner picks one, types what they said, or speaks again.
   */
  z.object({
    status: z.literal('not_recognised'),
    ...recordedTurnFields,
    candidates: z.array(z.string()),
    /** Why transcription failed; null when it was not requested or the speech was unintelligible. */
    failure: z.enum(TRANSCRIPTION_FAILURES).nullable(),
  }),
  /** The audio cannot be assessed; the recording is kept. */
  z.object({
    status: z.literal('unusable'),
    ...recordedTurnFields,
    reason: z.enum(UNUSABLE_REASONS),
    cause: z.enum(UNUSABLE_CAUSES).optional(),
  }),
  /** The recording is kept but the scorer failed; the words can be sent, and are assessed at the end. */
  z.object({
    status: z.literal('not_scored'),
    ...recordedTurnFields,
    candidates: z.array(z.string()),
    /** Null until the words are known; the learner is then asked for them. */
    text: z.string().nullable(),
  }),
]);
export type WaitingTurn = z.infer<typeof WaitingTurn>;

/** How much of an expected text has been spoken so far, as a number of characters. */
export const SpeechProgress = z.object({ text: z.string(), said: z.number().int().min(0) });
export type SpeechProgress = z.infer<typeof SpeechProgress>;

/** The reply confirms that the chunk is stored. `progress` is null while the position in the text is unknown. */
export const AppendAudioResult = z.object({ nextSeq: z.number().int().min(0), progress: SpeechProgress.nullable() });
export type AppendAudioResult = z.infer<typeof AppendAudioResult>;

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

/** `guided` follows a written dialogue and works offline; `model` is a language model and needs a server with a coach. */
export const COACH_KINDS = ['guided', 'model'] as const;
export type CoachKind = (typeof COACH_KINDS)[number];

export const SessionView = z.object({
  sessionId: SessionId,
  practiceId: PracticeId,
  /** Null when the practice is no longer on this device. */
  title: z.string().nullable(),
  scenario: z.string(),
  coach: CoachCard,
  difficulty: z.enum(PRACTICE_DIFFICULTIES),
  communicationStyle: z.enum(COMMUNICATION_STYLES),
  /** The coach who speaks now; one may take over from the other in mid-scene. */
  coachKind: z.enum(COACH_KINDS),
  /** Whether a guided coach could take over. */
  hasScript: z.boolean(),
  /** Whether the coach can continue after its goodbye. */
  canExtend: z.boolean(),
  /**
   * `learner_turn`: the coach has spoken and waits. `coach_turn`: a model coach's reply is due, and the window that
   * shows the session requests it. `ended`: the coach said goodbye, and the session is finished, or continues if
   * `canExtend`.
   */
  phase: z.enum(SESSION_PHASES),
  turns: z.array(Turn),
  objectives: z.array(ObjectiveProgress),
  /** A turn that was recorded but not sent; it is restored after a crash or a restart. */
  waitingTurn: WaitingTurn.nullable(),
  /** The highest hint level opened for the current turn; 0 when none was. */
  hintLevel: z.number().int().min(0).max(3),
  startedAt: z.date(),
  /** Seconds of conversation so far, excluding pauses. */
  durationS: z.number().int(),
});
export type SessionView = z.infer<typeof SessionView>;

/**
 * Events of a model coach's reply: optionally that its model is being loaded, then text deltas and proved objectives, and finally the
 * session that contains the complete utterance.
 */
export const CoachReplyUpdate = z.discriminatedUnion('type', [
  z.object({ type: z.literal('loading') }),
  z.object({ type: z.literal('words'), text: z.string() }),
  z.object({ type: z.literal('proved'), objectiveId: ObjectiveId, words: z.string() }),
  z.object({ type: z.literal('session'), session: SessionView }),
]);
export type CoachReplyUpdate = z.infer<typeof CoachReplyUpdate>;

export const DimensionResult = z.object({
  accuracy: Score.nullable(),
  fluency: Score.nullable(),
  prosody: Score.nullable(),
  completeness: Score.nullable(),
  pron: Score.nullable(),
  words: Score.nullable(),
});

/** The scores of a session before an answer or the coach's review arrived later. */
export const EarlierFeedback = z.object({
  feedbackId: z.string(),
  at: z.date(),
  overall: Score.nullable(),
  categories: z.array(z.object({ category: z.string(), score: Score.nullable() })),
  /** Stored points or a coach's sentences, as in `Feedback`. */
  suggestions: z.array(z.string()),
});
export type EarlierFeedback = z.infer<typeof EarlierFeedback>;

export const ResultView = z.object({
  session: SessionView,
  status: z.enum(PRACTICE_STATUSES),
  overall: Score.nullable(),
  /** The overall scores of the last sessions of this practice before this one, oldest first. */
  earlierScores: z.array(Score),
  /** Newest first. */
  earlierFeedback: z.array(EarlierFeedback),
  dimensions: DimensionResult,
  feedback: Feedback.nullable(),
  summary: z.string().nullable(),
  /** Recordings that were not sent when the session ended: kept on this device and not scored. */
  unsent: z.array(WaitingTurn),
  /** Text that was typed on this device but not sent when the session ended. */
  unsentText: z.string().nullable(),
  /** True if a live coach's review is still missing, so the feedback is based on measurements only. */
  isReviewWaiting: z.boolean(),
  /**
   * How many answers have no score because only another device has their recording. That device scores them when it is
   * next open and has synced.
   */
  toScoreElsewhere: z.number().int().min(0),
  endedAt: z.date(),
});
export type ResultView = z.infer<typeof ResultView>;

export const HistoryItem = z.object({
  sessionId: SessionId,
  practiceId: PracticeId,
  /** Null when the practice is no longer on this device. */
  title: z.string().nullable(),
  category: z.string(),
  coachName: z.string(),
  coachAvatarUrl: z.string(),
  startedAt: z.date(),
  durationS: z.number().int(),
  status: z.enum(PRACTICE_STATUSES),
  communicationStyle: z.enum(COMMUNICATION_STYLES),
  overall: Score.nullable(),
  /** Whether the session has ended but has no scores yet. */
  isBeingScored: z.boolean(),
  /** Whether what was said is on this device; otherwise it is downloaded when the session is opened. */
  isDownloaded: z.boolean(),
  /** The text around the match, when a search matched the transcript. */
  excerpt: z.string().nullable(),
});
export type HistoryItem = z.infer<typeof HistoryItem>;

const SessionInput = z.object({ sessionId: SessionId });
const TurnInput = z.object({ sessionId: SessionId, turnId: TurnId });

export const practiceContract = {
  start: base
    .input(
      z.object({
        practiceId: PracticeId,
        difficulty: z.enum(PRACTICE_DIFFICULTIES),
        communicationStyle: z.enum(COMMUNICATION_STYLES),
        coachKind: z.enum(COACH_KINDS).default('guided'),
        /** Set when the practice is started from a course. Fails with `course.locked` when its section is locked. */
        place: CoursePlace.nullable().default(null),
      }),
    )
    .output(SessionView),
  session: base.input(SessionInput).output(SessionView),
  /**
   * Starts a recording. A waiting turn is discarded (redo), but its recording is kept until the session is scored. An unfinished recording
   * becomes the waiting turn instead, and the call fails with `turn.interrupted`. The same happens when the recording window closes.
   * A window says with `replaces` which waiting turn it shows; another one, which a second window recorded, is not discarded either: the call
   * fails with `turn.waiting`.
   */
  beginTurn: base
    .input(SessionInput.extend({ replaces: TurnId.nullable().optional() }))
    .output(z.object({ turnId: TurnId, recordingId: RecordingId })),
  /** Appends a chunk. `seq` starts at 0 for each turn; a repeated chunk succeeds, and a gap fails with `audio.gap`. */
  appendAudio: base.input(TurnInput.extend(AudioChunk.shape)).output(AppendAudioResult),
  /** Closes the recording, then recognises and assesses it. */
  finishTurn: base.input(TurnInput.extend({ hintLevel: z.number().int().min(0).max(3) })).output(WaitingTurn),
  /** Assesses the waiting recording again after transcription was unavailable. */
  reassessTurn: base.input(TurnInput).output(WaitingTurn),
  /** Assesses the waiting recording against the text that the learner says they said. */
  correctTranscript: base
    .input(TurnInput.extend({ text: TypedText.trim().min(1).max(MAX_TYPED_CHARACTERS) }))
    .output(WaitingTurn),
  /** Sends the waiting turn; the coach answers. */
  sendTurn: base.input(TurnInput).output(SessionView),
  /** Assesses a turn that was still waiting when its session ended. */
  assessUnsentTurn: base.input(TurnInput).output(ResultView),
  sendTyped: base
    .input(
      SessionInput.extend({
        text: TypedText.trim().min(1).max(MAX_TYPED_CHARACTERS),
        hintLevel: z.number().int().min(0).max(3),
        replaces: TurnId.nullable().optional(),
      }),
    )
    .output(SessionView),
  /** Text that was typed but not sent, stored on this device until the turn is sent or the session is deleted. */
  draft: base.input(SessionInput).output(z.object({ text: z.string() })),
  keepDraft: base.input(SessionInput.extend({ text: TypedText.max(MAX_TYPED_CHARACTERS) })).output(z.void()),
  /**
   * Streams a model coach's reply. A second call starts over: the utterance is stored once, when it is complete. While another window
   * streams it, the call fails with `live.other_window` unless `takeOver` is set.
   */
  streamCoachReply: base
    .input(SessionInput.extend({ takeOver: z.boolean().default(false) }))
    .output(eventIterator(CoachReplyUpdate)),
  /**
   * Ends a model coach's reply in mid-sentence, and makes it the learner's turn again. `heard` is the part of the reply
   * that has arrived, which is kept with an ellipsis; a reply that was complete by then is not changed.
   */
  interruptCoach: base
    .input(SessionInput.extend({ heard: z.string().trim().min(1).max(MAX_HEARD_CHARACTERS) }))
    .output(SessionView),
  /** Translates a coach's utterance into the given language. */
  translate: base
    .input(z.object({ text: z.string().min(1).max(4_000), language: z.string().min(2).max(60) }))
    .output(z.object({ text: z.string() })),
  /** Ends a live conversation on another device in favour of this one. */
  takeOver: base.input(SessionInput).output(z.void()),
  /** 1 keyword, 2 opening, 3 whole sentence: one hint per matching reply. */
  hint: base
    .input(SessionInput.extend({ level: z.number().int().min(1).max(3) }))
    .output(z.object({ hints: z.array(z.string()) })),
  /** Adds two minutes after the coach's goodbye. */
  extend: base.input(SessionInput).output(SessionView),
  /** Hands the scene over to the other coach, who says so in an utterance of its own. Objectives and turns stay. */
  switchCoach: base.input(SessionInput.extend({ to: z.enum(COACH_KINDS) })).output(SessionView),
  pause: base.input(SessionInput).output(SessionView),
  resume: base.input(SessionInput).output(SessionView),
  finish: base.input(SessionInput).output(ResultView),
  discard: base.input(SessionInput).output(z.void()),
  result: base.input(SessionInput).output(ResultView),
  /** Retries the transcription of turns that had none when the session ended; scores do not change. */
  retranscribe: base.input(SessionInput).output(ResultView),
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
    .output(
      z.object({
        items: z.array(HistoryItem),
        total: z.number().int(),
        /** Sessions of which only the title was searched, because their turns are not on this device yet. */
        unsearched: z.number().int(),
      }),
    ),
  /** Deletes a finished session and its words in the attempt log. `restore` restores both. */
  remove: base.input(SessionInput).output(z.void()),
  restore: base.input(SessionInput).output(z.void()),
};
