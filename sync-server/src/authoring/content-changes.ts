/** The building blocks of changes to documents: each change is checked for conflicts, versioned and audited. */
import { isDeepStrictEqual } from 'node:util';
import type { ConflictResult, ContentView, PublishResult } from '@parley/contract';
import { type AnyContent, CONTENT_KINDS, type ContentDocument, type ContentFinding, titleOf } from '@parley/domain';
import { type AuditEntry, recordAudit, recordAudits, shortenForAudit } from '../account/index.ts';
import { changeCatalogue, type CatalogueWriter, publishContent, readContent } from '../catalogue/index.ts';
import type { Database } from '../db/client.ts';
import { checkContent } from './check-content.ts';
import {
  type ContentReference,
  contentOf,
  endPreview,
  type LoadedContent,
  loadContent,
  readVersion,
  writeRevision,
} from './content-records.ts';
import { readView, toView, type ViewParts } from './content-views.ts';
import { changedPaths, changedPlaces, mergeDocuments } from './merge-documents.ts';

export type Revised = ContentReference & { revision: number };

export interface StarterVersion {
  hash: string;
  document: ContentDocument;
}

export interface AuthoringParts {
  db: Database;
  now: () => Date;
  /** Called after the transaction, so that the devices are poked. */
  onCatalogueChanged: (version: number) => void;
  /** The starter's newest version of a document. */
  starterOf: (id: string) => StarterVersion | undefined;
}

export interface AuditedChange {
  actorId: string | null;
  before: AnyContent | null;
  after: AnyContent;
  revision: number;
}

export type ContentChanges = ReturnType<typeof createContentChanges>;

export function createContentChanges({ db, now, onCatalogueChanged, starterOf }: AuthoringParts) {
  const views: ViewParts = { db, now, starterHash: (id) => starterOf(id)?.hash };

  /** Runs a change to what learners see, and pokes their devices. */
  async function inCatalogue<Value>(work: (writer: CatalogueWriter) => Promise<Value>): Promise<Value> {
    const { value, version } = await changeCatalogue({ db, now }, work);
    if (version !== null) onCatalogueChanged(version);
    return value;
  }

  /** Null when the document is still at the revision that the caller has seen. */
  async function findConflict(
    tx: Database,
    loaded: LoadedContent,
    mine: { revision: number; document?: ContentDocument },
  ) {
    const { record, content } = loaded;
    if (record.revision === mine.revision) return null;
    const base = await readVersion(tx, record.id, mine.revision);
    const theirs = content.document;
    const { merged, conflicts } = mergeDocuments<ContentDocument>(base, mine.document ?? base ?? theirs, theirs);
    return {
      status: 'conflict' as const,
      current: await toView(views, loaded, tx),
      merged,
      conflicts: conflicts as ConflictResult['conflicts'],
      theirChanges: base === null ? [] : changedPaths(base, theirs),
    };
  }

  const toAuditEntry = (act: AuditEntry['act'], { actorId, before, after, revision }: AuditedChange): AuditEntry => ({
    at: now(),
    actorId,
    subject: 'content',
    subjectId: after.id,
    act,
    details: { kind: after.kind, title: titleOf(after), revision },
    ...(before === null ? {} : auditedChanges(before.document, after.document)),
  });

  const audit = (tx: Database, act: AuditEntry['act'], change: AuditedChange): Promise<void> =>
    recordAudit(tx, toAuditEntry(act, change));

  async function saveDraft(
    tx: Database,
    loaded: LoadedContent,
    {
      document,
      actorId,
      act = 'content_saved',
    }: { document: ContentDocument; actorId: string | null; act?: 'content_saved' | 'content_reverted' },
    starterHash?: string,
  ): Promise<void> {
    const { record, content, published, wasPublished } = loaded;
    const isAsPublished = published !== null && isDeepStrictEqual(published.document, document);
    await writeRevision(tx, loaded, {
      draft: isAsPublished ? null : document,
      document,
      state: record.state === 'deleted' ? (wasPublished ? 'withdrawn' : 'draft') : record.state,
      act: 'saved',
      actorId,
      at: now(),
      ...(starterHash === undefined ? {} : { starterHash }),
    });
    const after = contentOf(content, document);
    await audit(tx, act, { actorId, before: content, after, revision: record.revision + 1 });
  }

  /** Returns the entry for the audit log. */
  async function publishLoaded(
    writer: CatalogueWriter,
    loaded: LoadedContent,
    actorId: string | null,
  ): Promise<AuditEntry> {
    const { tx } = writer;
    const { content, record } = loaded;
    const isLater =
      content.kind === 'post' && content.document.publishAt !== null && new Date(content.document.publishAt) > now();
    if (!isLater) {
      await publishContent(writer, content);
      await endPreview(tx, content.id);
    }
    // The published version may differ slightly from the written one, for example in the coach's name.
    const published = isLater ? null : await readContent(tx, content.kind, content.id);
    const document = published?.document ?? content.document;
    await writeRevision(tx, loaded, {
      draft: isLater ? content.document : null,
      document,
      state: isLater ? record.state : 'published',
      act: isLater ? 'saved' : 'published',
      actorId,
      at: now(),
      publishAt: isLater ? new Date(content.document.publishAt ?? 0) : null,
    });
    const before = loaded.published ?? null;
    return toAuditEntry('content_published', { actorId, before, after: content, revision: record.revision + 1 });
  }

  async function publishAll(
    writer: CatalogueWriter,
    references: readonly Revised[],
    actorId: string | null,
  ): Promise<PublishResult> {
    const { tx } = writer;
    const together = new Set(references.map(({ id }) => id));
    const loaded: LoadedContent[] = [];
    const ordered = references.toSorted((a, b) => CONTENT_KINDS.indexOf(a.kind) - CONTENT_KINDS.indexOf(b.kind));
    for (const reference of ordered) {
      const one = await loadContent(tx, reference, { lock: true, now: now() });
      if (one.record.revision !== reference.revision)
        return { status: 'outdated', id: reference.id, current: await toView(views, one, tx) };
      loaded.push(one);
    }
    const problems: (ContentReference & { title: string; findings: ContentFinding[] })[] = [];
    for (const { content, record } of loaded) {
      const findings = (await checkContent(tx, content, together)).filter(({ severity }) => severity === 'error');
      if (findings.length > 0) problems.push({ kind: content.kind, id: content.id, title: record.title, findings });
    }
    if (problems.length > 0) return { status: 'blocked', problems };
    const entries: AuditEntry[] = [];
    for (const one of loaded) entries.push(await publishLoaded(writer, one, actorId));
    await recordAudits(tx, entries);
    const contents: ContentView[] = [];
    for (const reference of ordered) contents.push(await readView(views, reference, tx));
    return { status: 'published', contents };
  }

  return { views, starterOf, inCatalogue, findConflict, toAuditEntry, audit, saveDraft, publishAll };
}

const MAX_AUDITED_CHANGES = 20;

/** The first few changes, shortened. The document's versions contain all of them. */
function auditedChanges(before: ContentDocument, after: ContentDocument) {
  const places = changedPlaces(before, after).slice(0, MAX_AUDITED_CHANGES);
  const shorten = (value: unknown): string =>
    shortenForAudit(typeof value === 'string' ? value : (JSON.stringify(value) ?? ''));
  const valuesOf = (side: 'before' | 'after'): Record<string, string> =>
    Object.fromEntries(places.map((place) => [place.path.join('.'), shorten(place[side])]));
  return { before: valuesOf('before'), after: valuesOf('after') };
}
