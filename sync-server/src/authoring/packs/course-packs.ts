/** Imports course packs after a preview of what would change, and exports them. */
import { createHash } from 'node:crypto';
import { basename } from 'node:path';
import type { Readable } from 'node:stream';
import { isDeepStrictEqual } from 'node:util';
import { type PackProblem, type PackSource, pictureId, toFileName } from '@parley/catalogue/pack';
import type { PackImport, PackPreview } from '@parley/contract';
import { type AnyContent, titleOf } from '@parley/domain';
import { inArray } from 'drizzle-orm';
import { type AuditEntry, recordAudits } from '../../account/index.ts';
import type { Database } from '../../db/client.ts';
import { contentDocuments } from '../../db/content-tables.ts';
import type { Media, MediaTransfer, Pictures } from '../../media/index.ts';
import type { ContentChanges } from '../content-changes.ts';
import { type ContentReference, insertDraft, type LoadedContent, loadContent } from '../content-records.ts';
import { changedPaths } from '../merge-documents.ts';
import { exportPack } from './export-pack.ts';
import { type StoredVideos, storeVideos } from './keep-videos.ts';
import { type OpenedPack, openPack, toProblems } from './open-pack.ts';

const MAX_SHOWN_CHANGES = 50;

export interface CoursePacksParts {
  db: Database;
  now: () => Date;
  changes: ContentChanges;
  transfer: MediaTransfer;
  pictures: Pictures;
  mediaUsage: Media['usage'];
}

export interface ImportOptions {
  publish: boolean;
  /** The fingerprint from the preview; null to import whatever has changed since. */
  seen: string | null;
}

export function createCoursePacks(parts: CoursePacksParts) {
  const { db, now, changes, transfer, pictures } = parts;
  const { inCatalogue, toAuditEntry, saveDraft, publishAll } = changes;

  async function findKnown(
    tx: Database,
    content: AnyContent,
    { lock }: { lock: boolean },
  ): Promise<LoadedContent | null> {
    const [record] = await tx
      .select({ id: contentDocuments.id })
      .from(contentDocuments)
      .where(inArray(contentDocuments.id, [content.id]));
    return record === undefined ? null : loadContent(tx, content, { lock, now: now() });
  }

  /** A fingerprint of the content that the pack would replace; equal as long as none of it has been changed. */
  const seenAs = (known: readonly (LoadedContent | null)[]): string =>
    createHash('sha256')
      .update(JSON.stringify(known.map((each) => each && [each.content.id, each.record.revision, each.record.state])))
      .digest('base64url');

  /** Unpacks the pack, and deletes the unpacked files afterwards. */
  async function withPack<Result>(source: PackSource, work: (pack: OpenedPack) => Promise<Result>): Promise<Result> {
    const pack = await openPack(parts, source);
    try {
      return await work(pack);
    } finally {
      await pack.release();
    }
  }

  const writeAll = (
    { contents, keep }: StoredVideos,
    {
      fileById,
      coveredIds,
      pictures: brought,
    }: Pick<OpenedPack, 'fileById' | 'pictures'> & { coveredIds: ReadonlySet<string> },
    { actorId, publish, seen }: ImportOptions & { actorId: string | null },
  ): Promise<PackImport> =>
    inCatalogue(async (writer): Promise<PackImport> => {
      const { tx } = writer;
      const knownBefore: (LoadedContent | null)[] = [];
      for (const content of contents) knownBefore.push(await findKnown(tx, content, { lock: true }));
      if (seen !== null && seenAs(knownBefore) !== seen) throw new OutdatedImport('a content was changed');
      const toPublish: (ContentReference & { revision: number })[] = [];
      const entries: AuditEntry[] = [];
      let changed = 0;
      // A video or a post can be published only when its files are there.
      await keep(tx);
      for (const { file, bytes } of brought)
        await pictures.add(tx, { fileName: basename(file), bytes: Buffer.from(bytes), actorId });
      for (const [index, content] of contents.entries()) {
        const known = knownBefore[index] ?? null;
        const isSame = known !== null && isDeepStrictEqual(known.content.document, content.document);
        if (known === null) await insertDraft(tx, content, { actorId, at: now() });
        else if (!isSame || known.record.state === 'deleted')
          await saveDraft(tx, known, { document: content.document, actorId });
        if (!isSame || coveredIds.has(content.id)) changed += 1;
        const { record } = await loadContent(tx, content, { now: now() });
        const isAsPublished = record.state === 'published' && record.draft === null;
        if (!isAsPublished) toPublish.push({ kind: content.kind, id: content.id, revision: record.revision });
        if (known === null)
          entries.push(
            toAuditEntry('pack_imported', { actorId, before: null, after: content, revision: record.revision }),
          );
      }
      await recordAudits(tx, entries);
      if (publish && toPublish.length > 0) {
        const result = await publishAll(writer, toPublish, actorId);
        if (result.status === 'blocked')
          throw new RefusedImport(
            result.problems.flatMap(({ id, findings }) => toProblems(fileById.get(id) ?? '', findings)),
          );
      }
      return { status: 'imported', changed, published: publish ? toPublish.length : 0 };
    });

  return {
    preview: (source: PackSource): Promise<PackPreview> =>
      withPack(source, async ({ contents, problems, videos }) => {
        const known = await Promise.all(contents.map((content) => findKnown(db, content, { lock: false })));
        return {
          problems,
          seen: seenAs(known),
          contents: contents.map((content, index) => {
            const before = known[index] ?? null;
            const video = videos.find(({ documentId }) => documentId === content.id);
            const paths =
              before === null
                ? []
                : [
                    ...changedPaths(before.content.document, content.document),
                    ...(video?.hasNewCover === true ? [['cover']] : []),
                  ];
            return {
              kind: content.kind,
              id: content.id,
              title: titleOf(content),
              change: before === null ? 'new' : paths.length > 0 ? 'changed' : 'same',
              changes: paths.slice(0, MAX_SHOWN_CHANGES),
            };
          }),
        };
      }),

    /** Imports everything or nothing. With `publish`, learners see it at once. */
    import: (actorId: string | null, source: PackSource, options: ImportOptions): Promise<PackImport> =>
      withPack(source, async (pack): Promise<PackImport> => {
        const { contents, problems, fileById, videos, pictures: brought } = pack;
        if (problems.length > 0) return { status: 'refused', problems };
        const coveredIds = new Set(videos.filter((video) => video.hasNewCover).map(({ documentId }) => documentId));
        const stored = await storeVideos(transfer, { contents, videos, actorId });
        try {
          return await writeAll(stored, { fileById, coveredIds, pictures: brought }, { ...options, actorId });
        } catch (error) {
          await stored.abandon();
          await pictures.abandon(brought.map(({ bytes }) => pictureId(bytes)));
          if (error instanceof RefusedImport) return { status: 'refused', problems: error.problems };
          if (error instanceof OutdatedImport) return { status: 'outdated' };
          throw error;
        }
      }),

    /** Exports these documents with everything that they refer to, or all documents that are not deleted. */
    export: (references: readonly ContentReference[] | null): Promise<Readable> => exportPack(parts, references),

    /** The name of the file with these documents: that of a single one, or `courses`. */
    async exportName(references: readonly ContentReference[] | null): Promise<string> {
      const [single, ...others] = references ?? [];
      if (single === undefined || others.length > 0) return 'courses';
      const { content } = await loadContent(db, single, { now: now() });
      return toFileName(titleOf(content)) || content.kind;
    },

    /** The pack that an admin has uploaded in pieces. Throws `request.invalid` when there is none. */
    uploaded: async (upload: { id: string; actorId: string }): Promise<PackSource> => ({
      zip: await transfer.uploadedPack(upload),
    }),
  };
}

export type CoursePacks = ReturnType<typeof createCoursePacks>;

class OutdatedImport extends Error {}

class RefusedImport extends Error {
  readonly problems: PackProblem[];
  constructor(problems: PackProblem[]) {
    super('the pack was refused');
    this.problems = problems;
  }
}
