/**
 * Installs the starter catalogue: all of it at the first start, and later only what a newer version changed. Content
 * that the school has edited, withdrawn or deleted is left as it is.
 */
import type { StarterCatalogue } from '@parley/catalogue';
import { requiredContent } from '@parley/catalogue/documents';
import { type AnyContent, ENTITY_KEYS, entities, titleOf } from '@parley/domain';
import { eq, sql } from 'drizzle-orm';
import type { Database } from '../db/client.ts';
import { contentDocuments, contentVersions } from '../db/content-tables.ts';
import { type CatalogueWriter, changeCatalogue } from './catalogue-writer.ts';
import { publishContent, withdrawContent } from './publish-content.ts';
import { readAllContents, type StoredContent } from './read-content.ts';
import { bundledStarter, hashDocument, type StarterContent, toStarterDocuments } from './starter-content.ts';

type ContentRecord = Omit<typeof contentDocuments.$inferSelect, 'draft'> & { hasDraft: boolean };

/** Returns how many rows changed. */
export async function installStarterCatalogue(
  parts: { db: Database; now: () => Date },
  starter?: StarterCatalogue,
): Promise<number> {
  const { contents, joinId } = starter === undefined ? bundledStarter() : toStarterDocuments(starter);
  const { value } = await changeCatalogue(parts, async (writer) => {
    const stored = await readAllContents(writer.tx);
    const records = await readRecords(writer.tx);
    const starterById = new Map(contents.map((content) => [content.id, content]));
    if (records.size < contents.length) await loadCatalogue(writer);
    for (const content of contents) {
      const state = stateOf(content, { stored: stored.get(content.id), record: records.get(content.id) });
      // A document can be published only once everything that it refers to is there. The school may have erased that.
      const needs = requiredContent(content).every(({ id }) => stored.has(id));
      if (state === 'current' || state === 'kept' || !needs) continue;
      if (state === 'outdated') await keepVersion(writer, stored.get(content.id));
      await publishContent(writer, content, joinId);
      await record(writer, content, { isNew: state === 'missing' });
      stored.set(content.id, { ...content, isDeleted: false, createdAt: writer.now });
    }
    for (const [id, content] of stored) {
      const known = records.get(id);
      if (starterById.has(id)) continue;
      if (known === undefined) await adopt(writer, content);
      else if (known.starterHash !== null && isUntouched(known, content)) {
        await withdrawContent(writer, content);
        await writer.tx
          .update(contentDocuments)
          .set({ state: 'deleted', draft: content.document, revision: known.revision + 1, editedAt: writer.now })
          .where(eq(contentDocuments.id, id));
      }
    }
    return writer.changed();
  });
  return value;
}

/**
 * - `missing`: it was never installed, or before this server recorded what it installs.
 * - `current`: it is installed in this version.
 * - `outdated`: it is installed in another version, and the school has not touched it.
 * - `kept`: the school has touched it.
 */
function stateOf(
  starter: StarterContent,
  { stored, record: known }: { stored: StoredContent | undefined; record: ContentRecord | undefined },
): 'missing' | 'current' | 'outdated' | 'kept' {
  if (known === undefined) return 'missing';
  if (stored === undefined || !isUntouched(known, stored)) return 'kept';
  return known.starterHash === starter.hash ? 'current' : 'outdated';
}

const isUntouched = (known: ContentRecord, stored: StoredContent): boolean =>
  known.state === 'published' &&
  !known.hasDraft &&
  !stored.isDeleted &&
  known.starterHash === hashDocument(stored.document);

async function readRecords(tx: Database): Promise<Map<string, ContentRecord>> {
  const rows = await tx
    .select({
      id: contentDocuments.id,
      kind: contentDocuments.kind,
      state: contentDocuments.state,
      title: contentDocuments.title,
      revision: contentDocuments.revision,
      starterHash: contentDocuments.starterHash,
      publishAt: contentDocuments.publishAt,
      createdAt: contentDocuments.createdAt,
      editedAt: contentDocuments.editedAt,
      editedBy: contentDocuments.editedBy,
      hasDraft: sql<boolean>`${contentDocuments.draft} is not null`,
    })
    .from(contentDocuments);
  return new Map(rows.map((row) => [row.id, row]));
}

/** The first installation looks up every row, which is quicker with each table read once. */
async function loadCatalogue(writer: CatalogueWriter): Promise<void> {
  for (const key of ENTITY_KEYS)
    if (entities[key].owner === 'catalogue' && key !== 'products' && key !== 'prices') await writer.load(key);
}

async function record(writer: CatalogueWriter, content: StarterContent, { isNew }: { isNew: boolean }): Promise<void> {
  const { id, kind, hash } = content;
  const common = { title: titleOf(content), starterHash: hash, editedAt: writer.now, editedBy: null };
  if (isNew)
    await writer.tx
      .insert(contentDocuments)
      .values({ id, kind, state: 'published', createdAt: writer.now, ...common })
      .onConflictDoNothing();
  else {
    const [known] = await writer.tx
      .update(contentDocuments)
      .set({ ...common, revision: sql`${contentDocuments.revision} + 1` })
      .where(eq(contentDocuments.id, id))
      .returning({ revision: contentDocuments.revision });
    await writer.tx.insert(contentVersions).values({
      id,
      revision: known?.revision ?? 1,
      document: content.document,
      act: 'starter',
      at: writer.now,
      actorId: null,
    });
  }
}

/** Keeps what an update replaces, because an admin may be editing it. */
async function keepVersion(writer: CatalogueWriter, content: AnyContent | undefined): Promise<void> {
  if (content === undefined) return;
  const [known] = await writer.tx
    .select({ revision: contentDocuments.revision })
    .from(contentDocuments)
    .where(eq(contentDocuments.id, content.id));
  await writer.tx
    .insert(contentVersions)
    .values({
      id: content.id,
      revision: known?.revision ?? 1,
      document: content.document,
      act: 'base',
      at: writer.now,
      actorId: null,
    })
    .onConflictDoNothing();
}

/** Records content that was written into the tables by other means. */
export async function adopt(writer: Pick<CatalogueWriter, 'tx' | 'now'>, content: StoredContent): Promise<void> {
  await writer.tx
    .insert(contentDocuments)
    .values({
      id: content.id,
      kind: content.kind,
      state: content.isDeleted ? 'withdrawn' : 'published',
      title: titleOf(content),
      draft: content.isDeleted ? content.document : null,
      createdAt: content.createdAt,
      editedAt: writer.now,
    })
    .onConflictDoNothing();
}
