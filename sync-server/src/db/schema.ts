/** What the migration generator reads: every table and enumeration as an export of its own. */
import { enumerations, tables } from './tables.ts';

export { aiLeases, aiUsage, devicePlatform, devices, linkCodes, rejections, syncScopes } from './tables.ts';

export const {
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
  customers,
  subscriptions,
  coachAssignmentHistory,
  enrollments,
  userCourseInteraction,
  aiConversations,
  feedbackDetails,
  practiceHistory,
  pronunciationImprovementSummary,
} = tables;

export const [
  englishLevel,
  practiceDifficulty,
  practiceStyle,
  courseStatus,
  rowState,
  planType,
  pricingType,
  pricingInterval,
  subscriptionStatus,
  interactionType,
  conversationRole,
  communicationStyle,
  practiceHistoryStatus,
] = [...new Map(enumerations.map((made) => [made.enumName, made])).values()];
