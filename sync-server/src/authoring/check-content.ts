/** Finds what prevents a document from being published, in the document itself and in what it refers to. */
import { findDocumentFindings } from '@parley/catalogue/documents';
import {
  type AnyContent,
  type ContentFinding,
  type DocumentOf,
  explain,
  type Explanation,
  mediaIdOf,
  mediaIdsIn,
} from '@parley/domain';
import { and, eq, inArray, isNotNull, isNull, ne, sql } from 'drizzle-orm';
import type { Database } from '../db/client.ts';
import { contentDocuments } from '../db/content-tables.ts';
import { media } from '../db/media-tables.ts';
import { tables } from '../db/tables.ts';

const finding = (
  severity: ContentFinding['severity'],
  path: ContentFinding['path'],
  explanation: Explanation,
): ContentFinding => ({ severity, path, node: null, ...explanation });

/** `together` are the ids of documents that are published at the same time. */
export async function checkContent(
  tx: Database,
  content: AnyContent,
  together: ReadonlySet<string> = new Set(),
): Promise<ContentFinding[]> {
  return [...findDocumentFindings(content), ...(await findReferenceFindings(tx, content, together))];
}

async function findReferenceFindings(
  tx: Database,
  content: AnyContent,
  together: ReadonlySet<string>,
): Promise<ContentFinding[]> {
  switch (content.kind) {
    case 'practice':
      return [
        ...(await coachFindings(tx, content.document, together)),
        ...(await objectiveFindings(tx, content.id, content.document)),
      ];
    case 'course':
      return [
        ...(await itemFindings(tx, content.document, together)),
        ...(await sectionFindings(tx, content.id, content.document)),
      ];
    case 'post':
      return [
        ...(await slugFindings(tx, content.id, content.document)),
        ...(await pictureFindings(tx, content.document)),
      ];
    case 'video':
      return fileFindings(tx, content.document);
    case 'industry':
    case 'coach':
      return [];
    default:
      return content satisfies never;
  }
}

async function coachFindings(
  tx: Database,
  { agentId }: DocumentOf<'practice'>,
  together: ReadonlySet<string>,
): Promise<ContentFinding[]> {
  if (agentId === null || together.has(agentId)) return [];
  const { aiAgentProfiles } = tables;
  const isThere = await tx.$count(
    aiAgentProfiles,
    and(eq(aiAgentProfiles.agentId, agentId), isNull(aiAgentProfiles.deletedAt)),
  );
  return isThere > 0 ? [] : [finding('error', ['agentId'], explain('practice.coach_unpublished'))];
}

async function objectiveFindings(
  tx: Database,
  practiceId: string,
  { objectives }: DocumentOf<'practice'>,
): Promise<ContentFinding[]> {
  const { practiceObjectives } = tables;
  const ids = objectives.map(({ objectiveId }) => objectiveId);
  if (ids.length === 0) return [];
  const elsewhere = await tx
    .select({ objectiveId: practiceObjectives.objectiveId })
    .from(practiceObjectives)
    .where(and(inArray(practiceObjectives.objectiveId, ids), ne(practiceObjectives.practiceId, practiceId as never)));
  const taken = new Set<string>(elsewhere.map(({ objectiveId }) => objectiveId));
  return objectives.flatMap(({ objectiveId, key }, index) =>
    taken.has(objectiveId)
      ? [finding('error', ['objectives', index], explain('objective.elsewhere', { name: key }))]
      : [],
  );
}

async function itemFindings(
  tx: Database,
  { sections }: DocumentOf<'course'>,
  together: ReadonlySet<string>,
): Promise<ContentFinding[]> {
  const ids = [...new Set(sections.flatMap(({ items }) => items.map(({ itemId }) => itemId)))];
  if (ids.length === 0) return [];
  const { practices, videos } = tables;
  const rows = [
    ...(await tx
      .select({ id: practices.practiceId, deletedAt: practices.deletedAt })
      .from(practices)
      .where(inArray(practices.practiceId, ids as never[]))),
    ...(await tx
      .select({ id: videos.videoId, deletedAt: videos.deletedAt })
      .from(videos)
      .where(inArray(videos.videoId, ids))),
  ];
  const stateById = new Map<string, Date | null>(rows.map(({ id, deletedAt }) => [id, deletedAt]));
  const named = await tx
    .select({ id: contentDocuments.id, title: contentDocuments.title })
    .from(contentDocuments)
    .where(inArray(contentDocuments.id, ids));
  const titles = new Map(named.map(({ id, title }) => [id, title]));
  return sections.flatMap(({ items }, section) =>
    items.flatMap(({ kind, itemId }, index) => {
      const path = ['sections', section, 'items', index];
      const title = titles.get(itemId);
      if (together.has(itemId)) return [];
      if (title === undefined && !stateById.has(itemId)) return [finding('error', path, explain(`item.${kind}_gone`))];
      if (!stateById.has(itemId))
        return [finding('error', path, explain('item.not_published', { title: title ?? '' }))];
      return stateById.get(itemId) === null
        ? []
        : [finding('advice', path, explain('item.withdrawn', { title: title ?? '' }))];
    }),
  );
}

async function sectionFindings(
  tx: Database,
  courseId: string,
  { sections }: DocumentOf<'course'>,
): Promise<ContentFinding[]> {
  const { courseSections } = tables;
  const ids = sections.map(({ sectionId }) => sectionId);
  if (ids.length === 0) return [];
  const elsewhere = await tx
    .select({ id: courseSections.courseSectionId })
    .from(courseSections)
    .where(and(inArray(courseSections.courseSectionId, ids), ne(courseSections.courseId, courseId as never)));
  const taken = new Set(elsewhere.map(({ id }) => id));
  return sections.flatMap(({ sectionId }, index) =>
    taken.has(sectionId)
      ? [finding('error', ['sections', index], explain('section.elsewhere', { number: index + 1 }))]
      : [],
  );
}

/** A pack from another server contains the address of its file, but not the file. */
async function fileFindings(tx: Database, { fileUrl }: DocumentOf<'video'>): Promise<ContentFinding[]> {
  const id = mediaIdOf(fileUrl);
  if (id === null || (await tx.$count(media, and(eq(media.id, id), eq(media.state, 'ready')))) > 0) return [];
  return [finding('error', ['fileUrl'], explain('video.file_elsewhere'))];
}

async function slugFindings(tx: Database, id: string, { slug }: DocumentOf<'post'>): Promise<ContentFinding[]> {
  const { blogPosts } = tables;
  const published = await tx.$count(blogPosts, and(eq(blogPosts.slug, slug), ne(blogPosts.id, id)));
  const hasSlug = sql`${contentDocuments.draft} ->> 'slug' = ${slug}`;
  const scheduled = await tx.$count(
    contentDocuments,
    and(isNotNull(contentDocuments.publishAt), hasSlug, ne(contentDocuments.id, id)),
  );
  return published + scheduled === 0 ? [] : [finding('error', ['slug'], explain('post.address_taken'))];
}

async function pictureFindings(tx: Database, { content }: DocumentOf<'post'>): Promise<ContentFinding[]> {
  const ids = mediaIdsIn(content);
  if (ids.length === 0) return [];
  const there = await tx.$count(media, and(inArray(media.id, ids), eq(media.state, 'ready')));
  return there === ids.length ? [] : [finding('error', ['content'], explain('post.picture_elsewhere'))];
}
