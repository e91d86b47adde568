/** Admins' actions on documents: draft, publish, withdraw, delete and restore. Every change is audited. */
import type { ContentView, PublishResult, SaveResult } from '@parley/contract';
import { type AnyContent, type ContentDocument, type ContentFinding, explain } from '@parley/domain';
import { and, eq, isNull, lte } from 'drizzle-orm';
import { recordAudit } from '../account/index.ts';
import { readContent, withdrawContent } from '../catalogue/index.ts';
import { DomainError } from '../domain-error.ts';
import type { Database } from '../db/client.ts';
import { contentDocuments } from '../db/content-tables.ts';
import { tables } from '../db/tables.ts';
import { checkContent } from './check-content.ts';
import { type AuthoringParts, type ContentChanges, type Revised, type StarterVersion } from './content-changes.ts';
import {
  type ContentReference,
  endPreview,
  insertDraft,
  type LoadedContent,
  loadContent,
  parseContent,
  readVersion,
  readVersions,
  requireStorable,
  writeRevision,
} from './content-records.ts';
import { listContents, type ListRequest, readNames, readView } from './content-views.ts';
import { changedPaths, mergeDocuments } from './merge-documents.ts';

export type Authoring = ReturnType<typeof createAuthoring>;

export function createAuthoring({
  db,
  now,
  changes,
}: Pick<AuthoringParts, 'db' | 'now'> & { changes: ContentChanges }) {
  const { views, starterOf, inCatalogue, findConflict, audit, saveDraft, publishAll } = changes;

  /** Changes a draft in a transaction that holds its lock. */
  const change = (
    reference: Revised,
    work: (tx: Database, loaded: LoadedContent) => Promise<SaveResult | void>,
    mine?: ContentDocument,
  ): Promise<SaveResult> =>
    db.transaction(async (tx) => {
      const loaded = await loadContent(tx, reference, { lock: true, now: now() });
      const conflict = await findConflict(tx, loaded, {
        revision: reference.revision,
        ...(mine === undefined ? {} : { document: mine }),
      });
      if (conflict !== null) return conflict;
      return (await work(tx, loaded)) ?? { status: 'saved', content: await readView(views, reference, tx) };
    });

  /** Hides a document from learners. */
  const takeAway = (reference: Revised, actorId: string, state: 'withdrawn' | 'deleted'): Promise<SaveResult> =>
    inCatalogue(async (writer): Promise<SaveResult> => {
      const { tx } = writer;
      const loaded = await loadContent(tx, reference, { lock: true, now: now() });
      const conflict = await findConflict(tx, loaded, reference);
      if (conflict !== null) return conflict;
      const problems = await findUses(tx, loaded.content);
      if (problems.length > 0)
        return {
          status: 'blocked',
          problems: [{ kind: reference.kind, id: reference.id, title: loaded.record.title, findings: problems }],
        };
      const { content, record, wasPublished } = loaded;
      if (wasPublished) await withdrawContent(writer, reference);
      await endPreview(tx, reference.id);
      await writeRevision(tx, loaded, {
        draft: content.document,
        document: content.document,
        state: state === 'withdrawn' && !wasPublished ? 'draft' : state,
        act: state,
        actorId,
        at: now(),
      });
      const act = state === 'withdrawn' ? 'content_withdrawn' : 'content_deleted';
      await audit(tx, act, { actorId, before: content, after: content, revision: record.revision + 1 });
      return { status: 'saved', content: await readView(views, reference, tx) };
    });

  return {
    list: (request: ListRequest) => listContents(views, request),
    read: (reference: ContentReference) => readView(views, reference),

    create: (actorId: string, reference: ContentReference, document: unknown): Promise<ContentView> =>
      db.transaction(async (tx) => {
        const content = parseContent(reference, document);
        requireStorable(content);
        if ((await readContent(tx, reference.kind, reference.id)) !== null)
          throw new DomainError('request.invalid', { field: 'id' });
        await insertDraft(tx, content, { actorId, at: now() });
        await audit(tx, 'content_created', { actorId, before: null, after: content, revision: 1 });
        return readView(views, reference, tx);
      }),

    save: (actorId: string, reference: Revised, document: unknown): Promise<SaveResult> => {
      const content = parseContent(reference, document);
      requireStorable(content);
      const mine = content.document;
      return change(reference, (tx, loaded) => saveDraft(tx, loaded, { document: mine, actorId }), mine);
    },

    check: async (reference: ContentReference, document: unknown): Promise<{ findings: ContentFinding[] }> => ({
      findings: await checkContent(db, parseContent(reference, document)),
    }),

    publish: (actorId: string, references: readonly Revised[]): Promise<PublishResult> =>
      inCatalogue((writer) => publishAll(writer, references, actorId)),

    withdraw: (actorId: string, reference: Revised) => takeAway(reference, actorId, 'withdrawn'),
    delete: (actorId: string, reference: Revised) => takeAway(reference, actorId, 'deleted'),

    async versions({ kind, id }: ContentReference) {
      await loadContent(db, { kind, id }, { now: now() });
      const rows = await readVersions(db, id);
      const names = await readNames(
        db,
        rows.map(({ actorId }) => actorId),
      );
      return {
        versions: rows.map((row, index) => {
          const before = rows[index + 1];
          return {
            revision: row.revision,
            act: row.act,
            at: row.at.toISOString(),
            by: row.actorId === null ? null : (names.get(row.actorId) ?? null),
            changes: before === undefined ? [] : changedPaths(before.document, row.document).slice(0, 50),
          };
        }),
      };
    },

    revert: (actorId: string, { to, ...reference }: Revised & { to: number | 'published' }): Promise<SaveResult> =>
      change(reference, async (tx, loaded) => {
        const document = to === 'published' ? loaded.published?.document : await readVersion(tx, reference.id, to);
        if (document === undefined || document === null) throw new DomainError('request.invalid', { field: 'to' });
        await saveDraft(tx, loaded, { document, actorId, act: 'content_reverted' });
      }),

    /** Merges the starter's newer version into the draft; where both changed the same place, the school's edit wins. */
    starterUpdate: (actorId: string, { accept, ...reference }: Revised & { accept: boolean }): Promise<SaveResult> =>
      change(reference, async (tx, loaded) => {
        const newest = starterOf(reference.id);
        if (newest === undefined) throw new DomainError('request.invalid', { field: 'id' });
        if (accept) {
          const base = await readStarterBase(tx, reference.id);
          const mine = loaded.content.document;
          const { merged } = mergeDocuments<ContentDocument>(base, mine, newest.document);
          await saveDraft(tx, await keepStarter(tx, loaded, newest), { document: merged, actorId }, newest.hash);
          return;
        }
        await tx
          .update(contentDocuments)
          .set({ starterHash: newest.hash })
          .where(eq(contentDocuments.id, reference.id));
        const { content, record } = loaded;
        await audit(tx, 'content_update_dismissed', {
          actorId,
          before: content,
          after: content,
          revision: record.revision,
        });
      }),

    /** Publishes the posts whose time has come. A post that can no longer be published becomes a draft again. */
    async publishScheduled(): Promise<{ published: number; blocked: string[] }> {
      const due = await db
        .select({ kind: contentDocuments.kind, id: contentDocuments.id, revision: contentDocuments.revision })
        .from(contentDocuments)
        .where(lte(contentDocuments.publishAt, now()));
      const report = { published: 0, blocked: [] as string[] };
      for (const reference of due) {
        const { status } = await inCatalogue((writer) => publishAll(writer, [reference], null));
        if (status === 'published') report.published += 1;
        if (status !== 'blocked') continue;
        const { id, revision } = reference;
        const isUnchanged = and(eq(contentDocuments.id, id), eq(contentDocuments.revision, revision));
        await db.transaction(async (tx) => {
          const [draft] = await tx.update(contentDocuments).set({ publishAt: null }).where(isUnchanged).returning();
          if (draft === undefined) return;
          const details = { kind: draft.kind, title: draft.title, revision };
          const entry = { subject: 'content', subjectId: id, act: 'content_unscheduled', details } as const;
          await recordAudit(tx, { at: now(), actorId: null, ...entry });
        });
        report.blocked.push(id);
      }
      return report;
    },
  };
}

/** The starter's version on which the school's edits are based. */
async function readStarterBase(tx: Database, id: string): Promise<ContentDocument | null> {
  const versions = await readVersions(tx, id);
  const base = versions.find(({ act }) => act === 'starter') ?? versions.findLast(({ act }) => act === 'base');
  return base?.document ?? null;
}

/** Keeps the starter's version among the document's versions, as the base of the next update. */
async function keepStarter(tx: Database, loaded: LoadedContent, newest: StarterVersion): Promise<LoadedContent> {
  const { record } = loaded;
  await writeRevision(tx, loaded, {
    draft: loaded.content.document,
    document: newest.document,
    state: record.state,
    act: 'starter',
    actorId: null,
    at: record.editedAt,
  });
  return { ...loaded, record: { ...record, revision: record.revision + 1 } };
}

/**
 * The published content that refers to this document. For example, a coach cannot be removed while a practice uses it.
 */
async function findUses(tx: Database, { kind, id }: AnyContent): Promise<ContentFinding[]> {
  if (kind !== 'coach') return [];
  const { practices } = tables;
  const rows = await tx
    .select({ title: practices.title })
    .from(practices)
    .where(and(eq(practices.agentId, id as never), isNull(practices.deletedAt)))
    .orderBy(practices.title)
    .limit(20);
  return rows.map(({ title }) => ({
    severity: 'error',
    path: [],
    node: null,
    ...explain('coach.in_use', { title }),
  }));
}
