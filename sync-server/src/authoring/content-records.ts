/** Reads and writes the records behind documents: their drafts, revisions and versions. */
import { isStorable } from '@parley/catalogue/documents';
import {
  type AnyContent,
  type ContentDocument,
  contentDocuments as documentSchemas,
  type ContentKind,
  type DocumentOf,
  titleOf,
} from '@parley/domain';
import { and, desc, eq, lt } from 'drizzle-orm';
import { adopt, readContent, type StoredContent } from '../catalogue/index.ts';
import { DomainError } from '../domain-error.ts';
import type { Database } from '../db/client.ts';
import { contentDocuments, contentVersions, type CONTENT_ACTS, postPreviews } from '../db/content-tables.ts';

export interface ContentReference {
  kind: ContentKind;
  id: string;
}

type Record = typeof contentDocuments.$inferSelect;

/** A document with its record. */
export interface LoadedContent {
  record: Record;
  /** The draft, or the published version. */
  content: AnyContent;
  /** The content that learners see; null when they see none. */
  published: StoredContent | null;
  /** Whether devices may have a row for it, even if only a tombstone. */
  wasPublished: boolean;
}

const KEPT_VERSIONS = 100;

/** Parses a document from outside. Throws `request.invalid` with the place. */
export function parseContent({ kind, id }: ContentReference, document: unknown): AnyContent {
  const parsed = documentSchemas[kind].safeParse(document);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    throw new DomainError('request.invalid', {
      field: ['document', ...(issue?.path ?? [])].map(String).join('.').slice(0, 200),
      detail: issue?.message.slice(0, 200) ?? '',
    });
  }
  return contentOf({ kind, id }, parsed.data);
}

/** Throws `request.invalid`. A check of the document tells what is wrong with it. */
export function requireStorable({ document }: AnyContent): void {
  if (!isStorable(document)) throw new DomainError('request.invalid', { detail: 'text.unstorable' });
}

export const contentOf = ({ kind, id }: ContentReference, document: ContentDocument): AnyContent =>
  ({ kind, id, document }) as AnyContent;

/**
 * Throws `request.invalid` when there is no such document. `lock` keeps other transactions from changing it until this one
 * ends.
 */
export async function loadContent(
  tx: Database,
  reference: ContentReference,
  { lock = false, now }: { lock?: boolean; now: Date },
): Promise<LoadedContent> {
  const { kind, id } = reference;
  const select = async (): Promise<Record | undefined> => {
    const query = tx.select().from(contentDocuments).where(eq(contentDocuments.id, id));
    const [found] = await (lock ? query.for('update') : query);
    return found;
  };
  const stored = await readContent(tx, kind, id);
  let record = await select();
  if (record === undefined && stored !== null) {
    // The rows were written directly into the tables since the last start.
    await adopt({ tx, now }, stored);
    record = await select();
  }
  if (record === undefined || record.kind !== kind) throw new DomainError('request.invalid', { field: 'id' });
  const document = record.draft ?? stored?.document;
  if (document === undefined) throw new DomainError('request.invalid', { field: 'id' });
  const published = record.state === 'published' && stored !== null && !stored.isDeleted ? stored : null;
  return { record, content: contentOf(reference, document), published, wasPublished: stored !== null };
}

export interface Change {
  /** Null leaves the document as it was published. */
  draft: ContentDocument | null;
  document: DocumentOf<ContentKind>;
  state: Record['state'];
  act: (typeof CONTENT_ACTS)[number];
  actorId: string | null;
  at: Date;
  publishAt?: Date | null;
  starterHash?: string | null;
}

/**
 * Writes the next revision. The previous one is kept too, so that the work of an admin who is still editing it can be
 * merged.
 */
export async function writeRevision(tx: Database, loaded: LoadedContent, change: Change): Promise<void> {
  const { record, content } = loaded;
  const revision = record.revision + 1;
  await tx
    .insert(contentVersions)
    .values({
      id: record.id,
      revision: record.revision,
      document: content.document,
      act: 'base',
      at: record.editedAt,
      actorId: record.editedBy,
    })
    .onConflictDoNothing();
  await tx.insert(contentVersions).values({
    id: record.id,
    revision,
    document: change.document,
    act: change.act,
    at: change.at,
    actorId: change.actorId,
  });
  await tx
    .delete(contentVersions)
    .where(
      and(
        eq(contentVersions.id, record.id),
        eq(contentVersions.act, 'saved'),
        lt(contentVersions.revision, revision - KEPT_VERSIONS),
      ),
    );
  await tx
    .update(contentDocuments)
    .set({
      draft: change.draft,
      state: change.state,
      title: titleOf({ kind: record.kind, document: change.document }),
      revision,
      editedAt: change.at,
      editedBy: change.actorId,
      publishAt: change.publishAt ?? null,
      ...(change.starterHash === undefined ? {} : { starterHash: change.starterHash }),
    })
    .where(eq(contentDocuments.id, record.id));
}

export async function insertDraft(
  tx: Database,
  content: AnyContent,
  { actorId, at }: { actorId: string | null; at: Date },
): Promise<void> {
  const [inserted] = await tx
    .insert(contentDocuments)
    .values({
      id: content.id,
      kind: content.kind,
      state: 'draft',
      title: titleOf(content),
      draft: content.document,
      createdAt: at,
      editedAt: at,
      editedBy: actorId,
    })
    .onConflictDoNothing()
    .returning({ id: contentDocuments.id });
  if (inserted === undefined) throw new DomainError('request.invalid', { field: 'id' });
  await tx
    .insert(contentVersions)
    .values({ id: content.id, revision: 1, document: content.document, act: 'saved', at, actorId });
}

/** Null when the version is no longer kept. */
export async function readVersion(tx: Database, id: string, revision: number): Promise<ContentDocument | null> {
  const [found] = await tx
    .select({ document: contentVersions.document })
    .from(contentVersions)
    .where(and(eq(contentVersions.id, id), eq(contentVersions.revision, revision)));
  return found?.document ?? null;
}

export const readVersions = (tx: Database, id: string): Promise<(typeof contentVersions.$inferSelect)[]> =>
  tx
    .select()
    .from(contentVersions)
    .where(eq(contentVersions.id, id))
    .orderBy(desc(contentVersions.revision))
    .limit(KEPT_VERSIONS);

/** Ends the secret link to a post that has been published or deleted. */
export const endPreview = async (tx: Database, id: string): Promise<void> =>
  void (await tx.delete(postPreviews).where(eq(postPreviews.contentId, id)));
