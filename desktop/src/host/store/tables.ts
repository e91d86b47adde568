/** The entities as SQLite tables, drawn from their one declaration. What only the server keeps is not here. */
import { entities } from '@parley/domain';
import { getTableColumns } from 'drizzle-orm';
import { drawTable, type TableExtras } from './draw-table.ts';

export const industry = drawTable(entities.industry);
export const aiAgentProfiles = drawTable(entities.aiAgentProfiles);
export const courses = drawTable(entities.courses);
export const courseSections = drawTable(entities.courseSections, { indexes: [['courseId', 'order']] });
export const practices = drawTable(entities.practices);
export const objectives = drawTable(entities.objectives);
export const practiceObjectives = drawTable(entities.practiceObjectives, { indexes: [['practiceId', 'position']] });
export const videos = drawTable(entities.videos);
export const courseSectionPractices = drawTable(entities.courseSectionPractices, {
  indexes: [['courseSectionId', 'position']],
});
export const courseSectionVideos = drawTable(entities.courseSectionVideos, {
  indexes: [['courseSectionId', 'position']],
});
export const blogPosts = drawTable(entities.blogPosts);
export const products = drawTable(entities.products);
export const prices = drawTable(entities.prices);
export const users = drawTable(entities.users);

const ofLearner = { field: 'userId', of: () => ({ columns: getTableColumns(users), key: 'userId' }) };
const ofInteraction = {
  field: 'interactionId',
  of: () => ({ columns: getTableColumns(userCourseInteraction), key: 'interactionId' }),
};
const learnerOnly: TableExtras = { belongsTo: [ofLearner] };

export const subscriptions = drawTable(entities.subscriptions, learnerOnly);
export const coachAssignmentHistory = drawTable(entities.coachAssignmentHistory, learnerOnly);
export const enrollments = drawTable(entities.enrollments, learnerOnly);
export const userCourseInteraction = drawTable(entities.userCourseInteraction, learnerOnly);
export const practiceHistory = drawTable(entities.practiceHistory, {
  belongsTo: [ofLearner],
  // Everything that a list or a sum needs: five thousand sessions are counted without touching one conversation.
  indexes: [
    ['userId', 'createdAt', 'status', 'deletedAt', 'duration', 'practiceId', 'score'],
    ['practiceId', 'status', 'deletedAt', 'userId', 'score'],
  ],
});
export const aiConversations = drawTable(entities.aiConversations, {
  belongsTo: [
    ofLearner,
    ofInteraction,
    { field: 'sessionId', of: () => ({ columns: getTableColumns(practiceHistory), key: 'id' }) },
  ],
  indexes: [['interactionId'], ['sessionId']],
});
export const feedbackDetails = drawTable(entities.feedbackDetails, {
  belongsTo: [ofLearner, ofInteraction],
  indexes: [['interactionId']],
});
export const pronunciationImprovementSummary = drawTable(entities.pronunciationImprovementSummary, learnerOnly);

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
} as const;

/** Entities that a device holds. */
export type StoredKey = keyof typeof tables;
