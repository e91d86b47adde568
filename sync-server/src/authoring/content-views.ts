/** Converts documents for the admin panel. */
import type { ContentSummary, ContentView } from '@parley/contract';
import { type ContentKind, fullName, isComingSoon } from '@parley/domain';
import { and, asc, count, desc, eq, ilike, inArray, isNotNull, isNull, ne, or, type SQL, sql } from 'drizzle-orm';
import type { Database } from '../db/client.ts';
import { contentDocuments } from '../db/content-tables.ts';
import { tables } from '../db/tables.ts';
import { checkContent } from './check-content.ts';
import { type ContentReference, type LoadedContent, loadContent } from './content-records.ts';

export interface ListRequest {
  kind: ContentKind;
  search?: string | undefined;
  only?: 'published' | 'draft' | 'changed' | 'withdrawn' | 'deleted' | undefined;
  sort: 'title' | 'editedAt';
  direction: 'asc' | 'desc';
  page: number;
  pageSize: number;
}

/** The hash of the starter's newest version of a document; undefined when the starter has no such document. */
export type StarterHash = (id: string) => string | undefined;

export interface ViewParts {
  db: Database;
  now: () => Date;
  starterHash: StarterHash;
}

const { practices, videos, courses } = tables;

/** Does the same as the domain's `isComingSoon`, for a list: the published state is read from the catalogue's rows. */
const IS_COMING_SOON = sql<boolean>`coalesce(
  ${contentDocuments.draft} ->> 'availability', ${contentDocuments.draft} ->> 'status',
  (select ${practices.availability}::text from ${practices} where ${practices.practiceId} = ${contentDocuments.id}),
  (select ${videos.availability}::text from ${videos} where ${videos.videoId} = ${contentDocuments.id}),
  (select ${courses.status}::text from ${courses} where ${courses.courseId} = ${contentDocuments.id}), ''
) in ('not_ready', 'coming_soon')`;

const summaryColumns = {
  kind: contentDocuments.kind,
  id: contentDocuments.id,
  title: contentDocuments.title,
  state: contentDocuments.state,
  hasDraft: sql<boolean>`${contentDocuments.draft} is not null`,
  isComingSoon: IS_COMING_SOON,
  revision: contentDocuments.revision,
  editedAt: contentDocuments.editedAt,
  editedBy: contentDocuments.editedBy,
  publishAt: contentDocuments.publishAt,
  starterHash: contentDocuments.starterHash,
};

type SummaryRow = Omit<typeof contentDocuments.$inferSelect, 'draft' | 'createdAt'> & {
  hasDraft: boolean;
  isComingSoon: boolean;
};

export async function listContents(
  { db, starterHash }: ViewParts,
  { kind, search = '', only, sort, direction, page, pageSize }: ListRequest,
): Promise<{ total: number; rows: ContentSummary[] }> {
  const where = and(
    eq(contentDocuments.kind, kind),
    search === '' ? undefined : ilike(contentDocuments.title, `%${search.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`),
    stateCondition(only),
  );
  const order = direction === 'asc' ? asc : desc;
  const rows = await db
    .select(summaryColumns)
    .from(contentDocuments)
    .where(where)
    .orderBy(order(contentDocuments[sort]), contentDocuments.id)
    .limit(pageSize)
    .offset(page * pageSize);
  const [all] = await db.select({ total: count() }).from(contentDocuments).where(where);
  const names = await readNames(
    db,
    rows.map(({ editedBy }) => editedBy),
  );
  return { total: all?.total ?? 0, rows: rows.map((row) => toSummary(row, { names, starterHash })) };
}

function stateCondition(only: ListRequest['only']): SQL | undefined {
  const { state, draft } = contentDocuments;
  switch (only) {
    case 'published':
      return eq(state, 'published');
    case 'draft':
      return eq(state, 'draft');
    case 'changed':
      return or(eq(state, 'draft'), and(eq(state, 'published'), isNotNull(draft)));
    case 'withdrawn':
      return eq(state, 'withdrawn');
    case 'deleted':
      return eq(state, 'deleted');
    case undefined:
      return ne(state, 'deleted');
    default:
      return only satisfies never;
  }
}

const toSummary = (
  row: SummaryRow,
  { names, starterHash }: { names: ReadonlyMap<string, string>; starterHash: StarterHash },
): ContentSummary => {
  const newest = starterHash(row.id);
  return {
    kind: row.kind,
    id: row.id,
    title: row.title,
    state: row.state,
    isComingSoon: row.isComingSoon,
    hasChanges: row.state === 'published' && row.hasDraft,
    revision: row.revision,
    editedAt: row.editedAt.toISOString(),
    editedBy: row.editedBy === null ? null : (names.get(row.editedBy) ?? null),
    publishAt: row.publishAt?.toISOString() ?? null,
    hasStarterUpdate: row.starterHash !== null && newest !== undefined && newest !== row.starterHash,
  };
};

export async function readView(
  parts: ViewParts,
  reference: ContentReference,
  tx: Database = parts.db,
): Promise<ContentView> {
  return toView(parts, await loadContent(tx, reference, { now: parts.now() }), tx);
}

export async function toView(parts: ViewParts, loaded: LoadedContent, tx: Database): Promise<ContentView> {
  const { record, content, published } = loaded;
  const names = await readNames(tx, [record.editedBy]);
  return {
    ...toSummary(
      { ...record, hasDraft: record.draft !== null, isComingSoon: isComingSoon(content.document) },
      { names, starterHash: parts.starterHash },
    ),
    document: content.document,
    published: published?.document ?? null,
    findings: await checkContent(tx, content),
  };
}

/** The names of admins, or their addresses. */
export async function readNames(tx: Database, ids: readonly (string | null)[]): Promise<Map<string, string>> {
  const known = [...new Set(ids.filter((id) => id !== null))];
  if (known.length === 0) return new Map();
  const { userId, firstName, lastName, email, deletedAt } = tables.users;
  const rows = await tx
    .select({ userId, firstName, lastName, email })
    .from(tables.users)
    .where(and(inArray(userId, known as never[]), isNull(deletedAt)));
  return new Map(rows.map((row) => [row.userId, fullName(row) ?? row.email ?? '']));
}
