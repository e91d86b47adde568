/** All entities, ordered so that parents come before the rows that refer to them. */
import type { EntityRow } from './entity.ts';
import { customers, prices, products, subscriptions } from './billing.ts';
import {
  blogPosts,
  courses,
  courseSectionPractices,
  courseSections,
  courseSectionVideos,
  objectives,
  practiceObjectives,
  practices,
  videos,
} from './catalogue.ts';
import { aiAgentProfiles, coachAssignmentHistory, industry, users } from './people.ts';
import {
  aiConversations,
  enrollments,
  feedbackDetails,
  practiceHistory,
  pronunciationImprovementSummary,
  userCourseInteraction,
  wordAttempts,
} from './practice-records.ts';

export const entities = {
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
  practiceHistory,
  aiConversations,
  feedbackDetails,
  pronunciationImprovementSummary,
  wordAttempts,
} as const;

export type EntityKey = keyof typeof entities;
/** The SQL table name, which is also the name on the wire. */
export type TableName = (typeof entities)[EntityKey]['name'];
export type Row<Key extends EntityKey> = EntityRow<(typeof entities)[Key]>;

export const ENTITY_KEYS = Object.keys(entities) as EntityKey[];

export const entityKeyByTable: ReadonlyMap<string, EntityKey> = new Map(
  ENTITY_KEYS.map((key) => [entities[key].name, key]),
);

/** All tables except those that only the server uses sync between devices and the server. */
export const isSynced = (key: EntityKey): boolean => entities[key].owner !== 'server';

export { UsefulWord } from './catalogue.ts';
export { IMAGE_MAX_LENGTH } from './people.ts';
export { InteractionDetails } from './practice-records.ts';
export {
  columnName,
  isProjection,
  mergeRuleOf,
  partialRowSchema,
  wireSchema,
  type Entity,
  type EntityRow,
  type FieldRule,
  type Fields,
  type MergeUnit,
  type Ownership,
  type RowMerge,
} from './entity.ts';
export { type DecodeField, rowFieldsDecoder, wireDecoder, wireFieldsDecoder } from './decode-fields.ts';
export type { Field, FieldKind, FieldValue } from './field.ts';
export { quickParser } from './measure-json.ts';
