/** The entities as SQLite tables, built from their declarations. Server-only entities are not here. */
import { entities } from '@parley/domain';
import { getTableColumns } from 'drizzle-orm';
import { buildTable, type TableExtras } from './build-table.ts';

export const industry = buildTable(entities.industry);
export const aiAgentProfiles = buildTable(entities.aiAgentProfiles);
export const courses = buildTable(entities.courses);
export const courseSections = buildTable(entities.courseSections, { indexes: [['courseId', 'order']] });
export const practices = buildTable(entities.practices);
export const objectives = buildTable(entities.objectives);
export const practiceObjectives = buildTable(entities.practiceObjectives, { indexes: [['practiceId', 'position']] });
export const videos = buildTable(entities.videos);
export const courseSectionPractices = buildTable(entities.courseSectionPractices, {
  indexes: [['courseSectionId', 'position']],
});
export const courseSectionVideos = buildTable(entities.courseSectionVideos, {
  indexes: [['courseSectionId', 'position']],
});
export const blogPosts = buildTable(entities.blogPosts);
export const products = buildTable(entities.products);
export const prices = buildTable(entities.prices);
export const users = buildTable(entities.users);

const ofLearner = { field: 'userId', of: () => ({ columns: getTableColumns(users), key: 'userId' }) };
const ofInteraction = {
  field: 'interactionId',
  of: () => ({ columns: getTableColumns(userCourseInteraction), key: 'interactionId' }),
};
const learnerOnly: TableExtras = { belongsTo: [ofLearner] };

export const subscriptions = buildTable(entities.subscriptions, learnerOnly);
export const coachAssignmentHistory = buildTable(entities.coachAssignmentHistory, learnerOnly);
export const enrollments = buildTable(entities.enrollments, learnerOnly);
export const userCourseInteraction = buildTable(entities.userCourseInteraction, learnerOnly);
export const practiceHistory = buildTable(entities.practiceHistory, {
  belongsTo: [ofLearner],
  // These indexes cover every list and sum, so that counting 5,000 sessions reads no conversation.
  indexes: [
    ['userId', 'createdAt', 'status', 'deletedAt', 'duration', 'practiceId', 'score'],
    ['practiceId', 'status', 'deletedAt', 'userId', 'score'],
  ],
});
export const aiConversations = buildTable(entities.aiConversations, {
  belongsTo: [
    ofLearner,
    ofInteraction,
    { field: 'sessionId', of: () => ({ columns: getTableColumns(practiceHistory), key: 'id' }) },
  ],
  // Covers the time of a session's last answer, so that computing the days of 5,000 sessions reads no turn.
  indexes: [['interactionId'], ['sessionId', 'role', 'deletedAt', 'saidAt']],
});
export const feedbackDetails = buildTable(entities.feedbackDetails, {
  belongsTo: [ofLearner, ofInteraction],
  indexes: [['interactionId']],
});
export const pronunciationImprovementSummary = buildTable(entities.pronunciationImprovementSummary, learnerOnly);

export const wordAttempts = buildTable(entities.wordAttempts, {
  belongsTo: [ofLearner],
  indexes: [['userId', 'word'], ['userId', 'day'], ['recordingId'], ['sessionId']],
});

export const tables = {
  industry,
  aiAgentProfiles,
  courses,
  courseSections,
  practices,
  objectives,
  practiceObjectives,
  videos,
  courseSectionPractices,
  courseSectionVideos,
  blogPosts,
  products,
  prices,
  users,
  subscriptions,
  coachAssignmentHistory,
  enrollments,
  userCourseInteraction,
  practiceHistory,
  aiConversations,
  feedbackDetails,
  pronunciationImprovementSummary,
  wordAttempts,
} as const;

/** Entities that a device stores. */
export type StoredKey = keyof typeof tables;
