/** A learner's activity: sessions, turns, enrolments and feedback. */
import { z } from 'zod';
import {
  COMMUNICATION_STYLES,
  CONVERSATION_ROLES,
  PRACTICE_DIFFICULTIES,
  PRACTICE_STATUSES,
  TURN_KINDS,
  TURN_MODES,
} from '../enumerations.ts';
import { CoachId, CourseId, LearnerId, PracticeId, RecordingId, SessionId, TurnId } from '../ids.ts';
import { PackedAssessment } from '../scoring/packed-assessment.ts';
import { CompletedObjective, Conversation, Feedback } from '../practice/conversation.ts';
import { PronunciationWords } from '../practice/pronunciation-list.ts';
import {
  ATTEMPT_KINDS,
  ATTEMPT_SOURCES,
  AttemptPhonemes,
  MAX_SENTENCE_CHARACTERS,
  REVIEW_GRADES,
} from '../learning/word-attempt.ts';
import { entity } from './entity.ts';
import {
  anyId,
  boolean,
  enumeration,
  id,
  integer,
  json,
  nullable,
  references,
  score,
  text,
  time,
  unique,
  withInitial,
} from './field.ts';

/** The longest utterance (three minutes) takes about 60,000 characters. */
const ASSESSMENT_MAX_LENGTH = 400_000;

const learnerReference = () => references(id(LearnerId), 'users', 'userId');

export const enrollments = entity({
  name: 'enrollments',
  key: 'enrollmentId',
  owner: 'learner',
  uniqueTogether: [['userId', 'courseId']],
  fields: {
    enrollmentId: anyId(),
    userId: learnerReference(),
    courseId: references(id(CourseId), 'courses', 'courseId'),
    enrollmentDate: time(),
  },
});

export const INTERACTION_TYPES = ['practice', 'video', 'section_opened'] as const;

/** The rows an interaction refers to. */
export const InteractionDetails = z.object({
  sessionId: SessionId.nullable(),
  practiceId: PracticeId.nullable(),
  videoId: z.uuid().nullable(),
  courseSectionId: z.uuid().nullable(),
});

export const userCourseInteraction = entity({
  name: 'user_course_interaction',
  key: 'interactionId',
  owner: 'learner',
  merge: 'append_only',
  fields: {
    interactionId: anyId(),
    userId: learnerReference(),
    /** Null for a practice outside any course. */
    courseId: nullable(references(id(CourseId), 'courses', 'courseId')),
    interactionType: enumeration('interaction_type', INTERACTION_TYPES),
    timestamp: time(),
    details: json(InteractionDetails, 4_000),
  },
});

export const practiceHistory = entity({
  name: 'practice_history',
  key: 'id',
  owner: 'learner',
  rules: {
    status: 'unit',
    feedback: 'unit',
    score: 'unit',
    accuracyScore: 'unit',
    fluencyScore: 'unit',
    prosodyScore: 'unit',
    completenessScore: 'unit',
    pronScore: 'unit',
    wordsScore: 'unit',
    summary: 'unit',
    completedObjectives: 'objectives',
    duration: 'maximum',
    entireConversation: 'projection',
  },
  unit: { rankField: 'status', ranks: ['in_progress', 'failed_to_generate_score', 'completed'] },
  fields: {
    id: id(SessionId),
    practiceId: references(id(PracticeId), 'practices', 'practiceId'),
    userId: learnerReference(),
    agentId: references(id(CoachId), 'ai_agent_profiles', 'agentId'),
    feedback: nullable(json(Feedback, 100_000)),
    score: score(),
    accuracyScore: score(),
    fluencyScore: score(),
    prosodyScore: score(),
    completenessScore: score(),
    pronScore: score(),
    wordsScore: score(),
    /** Computed from the session's turns (rows of `ai_conversations`). */
    entireConversation: withInitial(json(Conversation, 64 * 1_048_576), []),
    completedObjectives: json(z.array(CompletedObjective).max(50), 100_000),
    /** Seconds from the coach's first utterance to the end, excluding pauses. */
    duration: withInitial(integer(), 0),
    communicationStyle: enumeration('communication_style', COMMUNICATION_STYLES),
    status: enumeration('practice_history_status', PRACTICE_STATUSES),
    summary: nullable(text(4_000)),
    // The level of the dialogue that the session uses.
    difficulty: enumeration('practice_difficulty', PRACTICE_DIFFICULTIES),
    // Null while the session is running. Pausing uses no minutes.
    pausedAt: nullable(time()),
  },
});

/** A turn of a session. A turn is the unit of sync. */
export const aiConversations = entity({
  name: 'ai_conversations',
  key: 'conversationId',
  owner: 'learner',
  rules: {
    interactionId: 'set_once',
    userId: 'set_once',
    courseId: 'set_once',
    // A turn that is transcribed late starts with empty content.
    content: 'set_once',
    role: 'set_once',
    sessionId: 'set_once',
    previousTurnId: 'set_once',
    saidAt: 'set_once',
    node: 'set_once',
    kind: 'set_once',
    mode: 'set_once',
    recordingId: 'set_once',
    assessment: 'set_once',
    // Once a coach has declined a turn, the turn is never sent to it again.
    fitted: 'minimum',
    hintLevel: 'maximum',
  },
  fields: {
    /** The turn's own id. */
    conversationId: anyId(),
    interactionId: references(anyId(), 'user_course_interaction', 'interactionId'),
    userId: learnerReference(),
    courseId: nullable(references(id(CourseId), 'courses', 'courseId')),
    content: text(4_000),
    role: enumeration('conversation_role', CONVERSATION_ROLES),
    // Null in rows written by the first version, until the session's turns are migrated.
    sessionId: nullable(references(id(SessionId), 'practice_history', 'id')),
    /** The previous turn on the device where this turn was said; null for the first turn. */
    previousTurnId: nullable(id(TurnId)),
    saidAt: nullable(time()),
    /** The node of the dialogue; null when a language model led the conversation. */
    node: nullable(text(200)),
    /** Set for a coach's turn. */
    kind: nullable(enumeration('turn_kind', TURN_KINDS)),
    /** Set for a learner's turn. */
    mode: nullable(enumeration('turn_mode', TURN_MODES)),
    fitted: withInitial(boolean(), true),
    recordingId: nullable(id(RecordingId)),
    hintLevel: withInitial(integer(0, 3), 0),
    assessment: nullable(json(PackedAssessment, ASSESSMENT_MAX_LENGTH)),
  },
});

export const PerformanceCategories = z
  .array(z.object({ category: z.string().min(1).max(60), score: z.number().min(0).max(100).nullable() }))
  .max(100);

export const feedbackDetails = entity({
  name: 'feedback_details',
  key: 'feedbackId',
  owner: 'learner',
  merge: 'append_only',
  fields: {
    feedbackId: anyId(),
    interactionId: references(anyId(), 'user_course_interaction', 'interactionId'),
    performanceCategories: json(PerformanceCategories, 50_000),
    suggestions: json(z.array(z.string().min(1).max(600)).max(20), 100_000),
    score: score(),
    // Every learner row carries its learner's id so that the server can filter on it first.
    userId: learnerReference(),
  },
});

export const pronunciationImprovementSummary = entity({
  name: 'pronunciation_improvement_summary',
  key: 'id',
  owner: 'learner',
  rules: { words: 'words' },
  fields: {
    id: anyId(),
    words: json(PronunciationWords, 8 * 1_048_576),
    userId: unique(learnerReference()),
  },
});

/**
 * The attempt log. Everything that the learner sees about words and sounds is computed from these rows, so that the union of two devices'
 * logs is the truth. Rows refer to sessions, turns and recordings without a foreign key, because the log outlives them.
 */
export const wordAttempts = entity({
  name: 'word_attempts',
  key: 'id',
  owner: 'learner',
  merge: 'append_only',
  fields: {
    id: anyId(),
    userId: learnerReference(),
    kind: enumeration('attempt_kind', ATTEMPT_KINDS),
    at: time(),
    /** The learner's calendar day at that time, so that every device counts the same days. */
    day: text(10),
    word: text(80),
    ipa: text(120),
    accuracy: score(),
    phonemes: json(AttemptPhonemes, 8_000),
    source: nullable(enumeration('attempt_source', ATTEMPT_SOURCES)),
    sessionId: nullable(id(SessionId)),
    turnId: nullable(id(TurnId)),
    recordingId: nullable(id(RecordingId)),
    startMs: nullable(integer()),
    endMs: nullable(integer()),
    sentence: nullable(text(MAX_SENTENCE_CHARACTERS)),
    grade: nullable(enumeration('review_grade', REVIEW_GRADES)),
    /** For `counted`: how many attempts, and the counter's key. */
    attempts: nullable(integer()),
    countedBy: nullable(text(36)),
  },
});
