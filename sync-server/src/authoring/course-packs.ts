/** Imports course packs, after a look at what would change, and exports them. */
import type { PackImport, PackPreview } from '@parley/contract';
import { findDocumentFindings, requiredContent } from '@parley/catalogue/documents';
import { type PackProblem, readPack, type ReadPack, unzipPack, writePack, zipPack } from '@parley/catalogue/pack';
import { type AnyContent, CONTENT_KINDS, type ContentFinding, titleOf } from '@parley/domain';
import { inArray, ne } from 'drizzle-orm';
import { isDeepStrictEqual } from 'node:util';
import type { Database } from '../db/client.ts';
import { contentDocuments } from '../db/content-tables.ts';
import type { ContentChanges } from './content-changes.ts';
import { type ContentReference, insertDraft, type LoadedContent, loadContent } from './content-records.ts';
import { changedPaths } from './merge-documents.ts';

const MAX_SHOWN_CHANGES = 50;

export interface CoursePacksParts {
  db: Database;
  now: () => Date;
  changes: ContentChanges;
}

export function createCoursePacks({ db, now, changes }: CoursePacksParts) {
  const { inCatalogue, audit, saveDraft, publishAll } = changes;

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

  return {
    async preview(zipped: Uint8Array): Promise<PackPreview> {
      const { contents, problems } = readZip(zipped);
      const known = await Promise.all(contents.map((content) => findKnown(db, content, { lock: false })));
      return {
        problems,
        contents: contents.map((content, index) => {
          const before = known[index] ?? null;
          const paths = before === null ? [] : changedPaths(before.content.document, content.document);
          return {
            kind: content.kind,
            id: content.id,
            title: titleOf(content),
            change: before === null ? 'new' : paths.length > 0 ? 'changed' : 'same',
            changes: paths.slice(0, MAX_SHOWN_CHANGES),
          };
        }),
      };
    },

    /** Imports all of it or nothing. With `publish`, learners see it at once. */
    async import(actorId: string | null, zipped: Uint8Array, { publish }: { publish: boolean }): Promise<PackImport> {
      const { contents, problems, fileById } = readZip(zipped);
      if (problems.length > 0) return { status: 'refused', problems };
      try {
        return await inCatalogue(async (writer): Promise<PackImport> => {
          const { tx } = writer;
          const toPublish: (ContentReference & { revision: number })[] = [];
          let changed = 0;
          for (const content of contents) {
            const known = await findKnown(tx, content, { lock: true });
            const isSame = known !== null && isDeepStrictEqual(known.content.document, content.document);
            if (known === null) await insertDraft(tx, content, { actorId, at: now() });
            else if (!isSame || known.record.state === 'deleted')
              await saveDraft(tx, known, { document: content.document, actorId });
            if (!isSame) changed += 1;
            const { record } = await loadContent(tx, content, { now: now() });
            const isAsPublished = record.state === 'published' && record.draft === null;
            if (!isAsPublished) toPublish.push({ kind: content.kind, id: content.id, revision: record.revision });
            if (known === null)
              await audit(tx, 'pack_imported', { actorId, before: null, after: content, revision: record.revision });
          }
          if (publish && toPublish.length > 0) {
            const result = await publishAll(writer, toPublish, actorId);
            if (result.status === 'blocked')
              throw new RefusedImport(
                result.problems.flatMap(({ id, findings }) => toProblems(fileById.get(id) ?? '', findings)),
              );
          }
          return { status: 'imported', changed, published: publish ? toPublish.length : 0 };
        });
      } catch (error) {
        if (error instanceof RefusedImport) return { status: 'refused', problems: error.problems };
        throw error;
      }
    },

    /** Exports these documents with all that they refer to, or everything that is not deleted. Drafts are exported as they are. */
    async export(references: readonly ContentReference[] | null): Promise<Uint8Array> {
      const contents = new Map<string, AnyContent>();
      const rows =
        references ??
        (await db
          .select({ kind: contentDocuments.kind, id: contentDocuments.id })
          .from(contentDocuments)
          .where(ne(contentDocuments.state, 'deleted')));
      const waiting: ContentReference[] = [...rows];
      for (const reference of waiting) {
        if (contents.has(reference.id)) continue;
        const { content } = await loadContent(db, reference, { now: now() });
        contents.set(content.id, content);
        waiting.push(...requiredContent(content));
      }
      const ordered = [...contents.values()].toSorted(
        (a, b) => CONTENT_KINDS.indexOf(a.kind) - CONTENT_KINDS.indexOf(b.kind) || (a.id < b.id ? -1 : 1),
      );
      return zipPack(writePack(ordered));
    },
  };
}

export type CoursePacks = ReturnType<typeof createCoursePacks>;

class RefusedImport extends Error {
  readonly problems: PackProblem[];
  constructor(problems: PackProblem[]) {
    super('the pack was refused');
    this.problems = problems;
  }
}

function readZip(zipped: Uint8Array): ReadPack {
  const unzipped = unzipPack(zipped);
  if (!unzipped.ok) return { contents: [], problems: unzipped.problems, fileById: new Map() };
  const pack = readPack(unzipped.files);
  return {
    ...pack,
    problems: [
      ...pack.problems,
      ...pack.contents.flatMap((content) =>
        toProblems(pack.fileById.get(content.id) ?? '', findDocumentFindings(content)),
      ),
    ],
  };
}

const toProblems = (file: string, findings: readonly ContentFinding[]): PackProblem[] =>
  findings.filter(({ severity }) => severity === 'error').map(({ message }) => ({ file, line: null, message }));
