/**
 * The starter catalogue as documents, with hashes that tell the server whether the school or a newer version has
 * changed one.
 */
import { createHash } from 'node:crypto';
import type { StarterCatalogue } from '@parley/catalogue';
import { readStarterCatalogue } from '@parley/catalogue/file';
import { coachDocument, courseDocument, postDocument, practiceDocument } from '@parley/catalogue/documents';
import type { AnyContent } from '@parley/domain';
import type { JoinId } from './publish-content.ts';

export type StarterContent = AnyContent & { hash: string };

export interface StarterDocuments {
  /** Ordered so that a document only refers to earlier ones. */
  contents: StarterContent[];
  /** The ids that devices already have from their own copy of the starter catalogue. */
  joinId: JoinId;
}

export function toStarterDocuments(starter: StarterCatalogue): StarterDocuments {
  const objectivesById = new Map(starter.objectives.map((row) => [row.objectiveId, row]));
  const goals = Map.groupBy(
    starter.practiceObjectives.toSorted((a, b) => a.position - b.position),
    ({ practiceId }) => practiceId,
  );
  const placed = Map.groupBy(
    starter.courseSectionPractices.toSorted((a, b) => a.position - b.position),
    ({ courseSectionId }) => courseSectionId,
  );
  const sections = Map.groupBy(
    starter.courseSections.toSorted((a, b) => a.order - b.order),
    ({ courseId }) => courseId,
  );
  const contents: AnyContent[] = [
    ...starter.industry.map((row) => ({ kind: 'industry' as const, id: row.id, document: { name: row.name } })),
    ...starter.aiAgentProfiles.map((row) => ({
      kind: 'coach' as const,
      id: row.agentId,
      document: coachDocument(row),
    })),
    ...starter.practices.map((row) => ({
      kind: 'practice' as const,
      id: row.practiceId,
      document: practiceDocument(
        row,
        (goals.get(row.practiceId) ?? []).flatMap(({ objectiveId }) => objectivesById.get(objectiveId) ?? []),
      ),
    })),
    ...starter.courses.map((row) => ({
      kind: 'course' as const,
      id: row.courseId,
      document: courseDocument(
        row,
        (sections.get(row.courseId) ?? []).map((section) => ({
          ...section,
          items: (placed.get(section.courseSectionId) ?? []).map(({ practiceId }) => ({
            kind: 'practice' as const,
            itemId: practiceId,
          })),
        })),
      ),
    })),
    ...starter.blogPosts.map((row) => ({
      kind: 'post' as const,
      id: row.id,
      document: postDocument(row, { tags: starter.postTags[row.id] }),
    })),
  ];
  const joinIds = new Map([
    ...starter.practiceObjectives.map(
      (row) => [`${row.practiceId}/${row.objectiveId}`, row.practiceObjectiveId] as const,
    ),
    ...starter.courseSectionPractices.map(
      (row) => [`${row.courseSectionId}/${row.practiceId}`, row.courseSectionPracticeId] as const,
    ),
  ]);
  return {
    contents: contents.map((content) => ({ ...content, hash: hashDocument(content.document) })),
    joinId: (parentId, childId) => joinIds.get(`${parentId}/${childId}`) ?? crypto.randomUUID(),
  };
}

/**
 * The documents of the bundled starter catalogue. They are about 10 MB and rarely needed, so they are read on every
 * call.
 */
export const bundledStarter = (): StarterDocuments => toStarterDocuments(readStarterCatalogue());

/** Neither the order of keys nor an empty field changes the hash, so a field that a later version adds does not look like an edit. */
export function hashDocument(document: object): string {
  return createHash('sha256')
    .update(JSON.stringify(canonical(document)))
    .digest('base64url');
}

function canonical(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(canonical);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, field]) => !isEmpty(field))
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, field]) => [name, canonical(field)]),
  );
}

const isEmpty = (value: unknown): boolean =>
  value === null ||
  value === undefined ||
  value === '' ||
  value === false ||
  (Array.isArray(value) && value.length === 0);
