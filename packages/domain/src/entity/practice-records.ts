/** What a learner did: practices held, words said, courses followed, feedback received. */
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
import { PackedAssessment } from '../packed-assessment.ts';
import { CompletedObjective, Conversation, Feedback } from '../practice/conversation.ts';
import { PronunciationWords } from '../practice/pronunciation-list.ts';
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

/** Of the longest utterance, three minutes, it takes some 60,000. */
const ASSESSMENT_LENGTH = 400_000;

const ownLearner = () => references(id(LearnerId), 'users', 'userId');

export const enrollments = entity({
  name: 'enrollments',
  key: 'enrollmentId',
  owner: 'learner',
  uniqueTogether: [['userId', 'courseId']],
  fields: {
    enrollmentId: anyId(),
    userId: ownLearner(),
    courseId: references(id(CourseId), 'courses', 'courseId'),
    enrollmentDate: time(),
  },
});

export const INTERACTION_TYPES = ['practice', 'video', 'section_opened'] as const;

/** What an interaction was about; every type names the rows it touches. */
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
    userId: ownLearner(),
    /** Null for a practice held outside any course. */
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
    userId: ownLearner(),
    agentId: references(id(CoachId), 'ai_agent_profiles', 'agentId'),
    feedback: nullable(json(Feedback, 100_000)),
    score: score(),
    accuracyScore: score(),
    fluencyScore: score(),
    prosodyScore: score(),
    completenessScore: score(),
    pronScore: score(),
    wordsScore: score(),
    /** Computed from the session's turns, the rows of `ai_conversations`. */
    entireConversation: withInitial(json(Conversation, 64 * 1_048_576), []),
    completedObjectives: json(z.array(CompletedObjective).max(50), 100_000),
    /** Seconds from the coach's first words to the end, pauses left out. */
    duration: withInitial(integer(), 0),
    communicationStyle: enumeration('communication_style', COMMUNICATION_STYLES),
    status: enumeration('practice_history_status', PRACTICE_STATUSES),
    summary: nullable(text(4_000)),
    // Guided coach: which of a dialogue's three levels the session runs on.
    difficulty: enumeration('practice_difficulty', PRACTICE_DIFFICULTIES),
    // Pause and resume: null while running; a pause costs nothing.
    pausedAt: nullable(time()),
  },
});

/** A turn of a session; a turn is the unit that syncs. */
export const aiConversations = entity({
  name: 'ai_conversations',
  key: 'conversationId',
  owner: 'learner',
  rules: {
    interactionId: 'set_once',
    userId: 'set_once',
    courseId: 'set_once',
    // A turn that was transcribed late has no words before.
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
    // What a coach declined to answer once is never put to it again.
    fitted: 'minimum',
    hintLevel: 'maximum',
  },
  fields: {
    /** The turn's own id. */
    conversationId: anyId(),
    interactionId: references(anyId(), 'user_course_interaction', 'interactionId'),
    userId: ownLearner(),
    courseId: nullable(references(id(CourseId), 'courses', 'courseId')),
    content: text(4_000),
    role: enumeration('conversation_role', CONVERSATION_ROLES),
    // Turns as rows: null in rows of the first version, until the session's turns are filled in.
    sessionId: nullable(references(id(SessionId), 'practice_history', 'id')),
    /** The turn that this one followed on the device where it was said; null for the first. */
    previousTurnId: nullable(id(TurnId)),
    saidAt: nullable(time()),
    /** Node of the dialogue; null for a turn of a conversation with a model. */
    node: nullable(text(200)),
    /** Of a coach's turn. */
    kind: nullable(enumeration('turn_kind', TURN_KINDS)),
    /** Of a learner's turn. */
    mode: nullable(enumeration('turn_mode', TURN_MODES)),
    fitted: withInitial(boolean(), true),
    recordingId: nullable(id(RecordingId)),
    hintLevel: withInitial(integer(0, 3), 0),
    assessment: nullable(json(PackedAssessment, ASSESSMENT_LENGTH)),
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
    // Ownership: every learner's row names its learner, so that the server can filter on it first.
    userId: ownLearner(),
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
    userId: unique(ownLearner()),
  },
});
