/** Reads published content as documents. */
import {
  coachDocument,
  courseDocument,
  postDocument,
  practiceDocument,
  ROOT_ENTITY,
  videoDocument,
} from '@parley/catalogue/documents';
import { type AnyContent, CONTENT_KINDS, type ContentKind, type CourseItem } from '@parley/domain';
import { and, asc, eq, inArray, isNull, type SQL } from 'drizzle-orm';
import type { Database } from '../db/client.ts';
import { tables } from '../db/tables.ts';
import { keyColumn } from './catalogue-writer.ts';
import { readAuthors, readTags } from './publish-post.ts';

/** The document that a row represents. A withdrawn one has little more than its title. */
export type StoredContent = AnyContent & { isDeleted: boolean; createdAt: Date };

/** Reads all documents of a kind, or those with these ids. */
export async function readContents(
  tx: Database,
  kind: ContentKind,
  ids?: readonly string[],
): Promise<Map<string, StoredContent>> {
  const only = (column: Parameters<typeof inArray>[0]): SQL | undefined =>
    ids === undefined ? undefined : inArray(column, [...ids]);
  const found = await readKind(tx, kind, only(keyColumn(ROOT_ENTITY[kind])));
  return new Map(found.map((content) => [content.id, content]));
}

export async function readContent(tx: Database, kind: ContentKind, id: string): Promise<StoredContent | null> {
  return (await readContents(tx, kind, [id])).get(id) ?? null;
}

export async function readAllContents(tx: Database): Promise<Map<string, StoredContent>> {
  const all = new Map<string, StoredContent>();
  for (const kind of CONTENT_KINDS) for (const [id, content] of await readContents(tx, kind)) all.set(id, content);
  return all;
}

const stateOf = ({ deletedAt, createdAt }: { deletedAt: Date | null; createdAt: Date }) => ({
  isDeleted: deletedAt !== null,
  createdAt,
});

async function readKind(tx: Database, kind: ContentKind, where: SQL | undefined): Promise<StoredContent[]> {
  switch (kind) {
    case 'industry': {
      const rows = await tx.select().from(tables.industry).where(where);
      return rows.map((row) => ({ kind, id: row.id, document: { name: row.name }, ...stateOf(row) }));
    }
    case 'coach': {
      const rows = await tx.select().from(tables.aiAgentProfiles).where(where);
      return rows.map((row) => ({ kind, id: row.agentId, document: coachDocument(row), ...stateOf(row) }));
    }
    case 'video': {
      const rows = await tx.select().from(tables.videos).where(where);
      return rows.map((row) => ({ kind, id: row.videoId, document: videoDocument(row), ...stateOf(row) }));
    }
    case 'practice':
      return readPractices(tx, where);
    case 'course':
      return readCourses(tx, where);
    case 'post': {
      const rows = await tx.select().from(tables.blogPosts).where(where);
      const ids = rows.map(({ id }) => id);
      const tags = await readTags(tx, ids);
      const authors = await readAuthors(tx, ids);
      return rows.map((row) => ({
        kind,
        id: row.id,
        document: postDocument(row, { tags: tags.get(row.id), author: authors.get(row.id) }),
        ...stateOf(row),
      }));
    }
    default:
      return kind satisfies never;
  }
}

async function readPractices(tx: Database, where: SQL | undefined): Promise<StoredContent[]> {
  const { practices, practiceObjectives, objectives } = tables;
  const rows = await tx.select().from(practices).where(where);
  const goals = await tx
    .select({
      practiceId: practiceObjectives.practiceId,
      objectiveId: objectives.objectiveId,
      key: objectives.key,
      description: objectives.description,
    })
    .from(practiceObjectives)
    .innerJoin(objectives, eq(objectives.objectiveId, practiceObjectives.objectiveId))
    .where(
      and(
        isNull(practiceObjectives.deletedAt),
        isNull(objectives.deletedAt),
        where === undefined
          ? undefined
          : inArray(
              practiceObjectives.practiceId,
              rows.map(({ practiceId }) => practiceId),
            ),
      ),
    )
    .orderBy(asc(practiceObjectives.position));
  const goalsByPractice = Map.groupBy(goals, ({ practiceId }) => practiceId);
  return rows.map((row) => ({
    kind: 'practice',
    id: row.practiceId,
    document: practiceDocument(row, goalsByPractice.get(row.practiceId) ?? []),
    ...stateOf(row),
  }));
}

async function readCourses(tx: Database, where: SQL | undefined): Promise<StoredContent[]> {
  const {
    courses,
    courseSections,
    courseSectionPractices: placedPractices,
    courseSectionVideos: placedVideos,
  } = tables;
  const rows = await tx.select().from(courses).where(where);
  const sections = await tx
    .select()
    .from(courseSections)
    .where(
      and(
        isNull(courseSections.deletedAt),
        inArray(
          courseSections.courseId,
          rows.map(({ courseId }) => courseId),
        ),
      ),
    )
    .orderBy(asc(courseSections.order));
  const sectionIds = sections.map(({ courseSectionId }) => courseSectionId);
  const practices = await tx
    .select()
    .from(placedPractices)
    .where(and(isNull(placedPractices.deletedAt), inArray(placedPractices.courseSectionId, sectionIds)));
  const videos = await tx
    .select()
    .from(placedVideos)
    .where(and(isNull(placedVideos.deletedAt), inArray(placedVideos.courseSectionId, sectionIds)));
  const placed = [
    ...practices.map((row) => ({ ...row, kind: 'practice' as const, itemId: row.practiceId })),
    ...videos.map((row) => ({ ...row, kind: 'video' as const, itemId: row.videoId })),
  ].toSorted((a, b) => a.position - b.position);
  const itemsBySection = Map.groupBy(placed, ({ courseSectionId }) => courseSectionId);
  const itemsOf = (sectionId: string): CourseItem[] =>
    (itemsBySection.get(sectionId) ?? []).map(({ kind, itemId }) => ({ kind, itemId }));
  const sectionsByCourse = Map.groupBy(sections, ({ courseId }) => courseId);
  return rows.map((row) => ({
    kind: 'course',
    id: row.courseId,
    document: courseDocument(
      row,
      (sectionsByCourse.get(row.courseId) ?? []).map((section) => ({
        ...section,
        items: itemsOf(section.courseSectionId),
      })),
    ),
    ...stateOf(row),
  }));
}
