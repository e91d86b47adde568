/** The entities whose rows a learner writes on this device. */
import type { Row } from '@parley/domain';
import type { StoredKey } from './tables.ts';

/** Ordered so that parents precede the rows that refer to them. */
export const LEARNER_KEYS = [
  'users',
  'coachAssignmentHistory',
  'enrollments',
  'userCourseInteraction',
  'practiceHistory',
  'aiConversations',
  'feedbackDetails',
  'pronunciationImprovementSummary',
  'wordAttempts',
] as const satisfies readonly StoredKey[];

export type LearnerKey = (typeof LEARNER_KEYS)[number];

type Mixin = 'createdAt' | 'updatedAt' | 'syncVersion' | 'deletedAt';
/** A session's conversation is computed from its turns. */
type Projected = 'entireConversation';
export type NewRow<Key extends StoredKey> = Omit<Row<Key>, Mixin | Projected>;
