/** Exports every table and enumeration for the migration generator. */
import { enumerations, tables } from './tables.ts';

export { classCourses, classes, classMembers, schoolSettings, secondFactors, siteTexts } from './school-tables.ts';
export {
  contentDocuments,
  contentVersions,
  postAuthors,
  postPictures,
  postPreviews,
  postSlugs,
  postTags,
} from './content-tables.ts';
export { crashReports } from './crash-tables.ts';
export { practiceReports } from './practice-report-tables.ts';
export { openedSections } from './course-tables.ts';
export { media } from './media-tables.ts';
export { aiLeases, aiReservations, aiSpending, aiUsage } from './metering-tables.ts';
export { mails } from './mail-tables.ts';
export {
  keptRecordings,
  recordingAccounts,
  recordingBlobs,
  recordingErasures,
  recordingParts,
} from './recording-tables.ts';
export {
  accountDeletions,
  auditLog,
  billingEvents,
  devicePlatform,
  devices,
  erasedAccounts,
  linkCodes,
  pendingPlanChanges,
  rateLimits,
  rejections,
  serverState,
  signIns,
  staleConversations,
  syncScopes,
  webSessions,
} from './tables.ts';

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
  wordAttempts,
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
  communicationStyle,
  practiceHistoryStatus,
  conversationRole,
  turnKind,
  turnMode,
  attemptKind,
  attemptSource,
  reviewGrade,
] = [...new Map(enumerations.map((made) => [made.enumName, made])).values()];
