/** What a learner did: practices held, words said, courses followed, feedback received. */
import { z } from 'zod';
import { COMMUNICATION_STYLES, CONVERSATION_ROLES, PRACTICE_DIFFICULTIES, PRACTICE_STATUSES } from '../enumerations.ts';
import { CoachId, CourseId, LearnerId, PracticeId, SessionId } from '../ids.ts';
import { CompletedObjective, Conversation, Feedback } from '../practice/conversation.ts';
import { PronunciationWords } from '../practice/pronunciation-list.ts';
import { entity } from './entity.ts';
import {
  anyId,
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
    details: json(InteractionDetails),
  },
});

export const aiConversations = entity({
  name: 'ai_conversations',
  key: 'conversationId',
  owner: 'learner',
  merge: 'append_only',
  fields: {
    /** One row a turn: the turn's own id. */
    conversationId: anyId(),
    interactionId: references(anyId(), 'user_course_interaction', 'interactionId'),
    userId: ownLearner(),
    courseId: nullable(references(id(CourseId), 'courses', 'courseId')),
    content: text(4_000),
    role: enumeration('conversation_role', CONVERSATION_ROLES),
  },
});

export const PerformanceCategories = z.array(
  z.object({ category: z.string().min(1).max(60), score: z.number().min(0).max(100).nullable() }),
);

export const feedbackDetails = entity({
  name: 'feedback_details',
  key: 'feedbackId',
  owner: 'learner',
  merge: 'append_only',
  fields: {
    feedbackId: anyId(),
    interactionId: references(anyId(), 'user_course_interaction', 'interactionId'),
    performanceCategories: json(PerformanceCategories),
    suggestions: json(z.array(z.string().min(1).max(600)).max(20)),
    score: score(),
    // Ownership: every learner's row names its learner, so that the server can filter on it first.
    userId: ownLearner(),
  },
});

export const practiceHistory = entity({
  name: 'practice_history',
  key: 'id',
  owner: 'learner',
  fields: {
    id: id(SessionId),
    practiceId: references(id(PracticeId), 'practices', 'practiceId'),
    userId: ownLearner(),
    agentId: references(id(CoachId), 'ai_agent_profiles', 'agentId'),
    feedback: nullable(json(Feedback)),
    score: score(),
    accuracyScore: score(),
    fluencyScore: score(),
    prosodyScore: score(),
    completenessScore: score(),
    pronScore: score(),
    wordsScore: score(),
    entireConversation: json(Conversation),
    completedObjectives: json(z.array(CompletedObjective).max(50)),
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

export const pronunciationImprovementSummary = entity({
  name: 'pronunciation_improvement_summary',
  key: 'id',
  owner: 'learner',
  fields: {
    id: anyId(),
    words: json(PronunciationWords),
    userId: unique(ownLearner()),
  },
});
