/**
 * Counts confirmed pushes in a file next to the database folder. Restoring a copy of the folder does not change the
 * file, so its higher count reveals the restore.
 */
import { readFile, rename, writeFile } from 'node:fs/promises';
import { z } from 'zod';

const CommitMark = z.object({ epoch: z.string(), commits: z.number().int().min(0) });
export type Mark = z.infer<typeof CommitMark>;

export interface RestoreMarker {
  /** Returns null when the file is missing or unreadable. */
  read: () => Promise<Mark | null>;
  /** Resolves when the file contains this mark or a newer one of the same epoch. */
  record: (mark: Mark) => Promise<void>;
}

export function createRestoreMarker(path: string): RestoreMarker {
  let newest: Mark | null = null;
  let written: Mark | null = null;
  let writing: Promise<void> = Promise.resolve();

  async function write(): Promise<void> {
    const mark = newest;
    if (mark === null || mark === written) return;
    const draft = `${path}.new`;
    await writeFile(draft, JSON.stringify(mark), { mode: 0o600 });
    await rename(draft, path);
    written = mark;
  }

  return {
    async read() {
      try {
        return CommitMark.parse(JSON.parse(await readFile(path, 'utf8')));
      } catch {
        return null;
      }
    },
    async record(mark) {
      if (newest === null || newest.epoch !== mark.epoch || newest.commits < mark.commits) newest = mark;
      // Callers that wait for the same write share it.
      writing = writing.then(write, write);
      await writing;
    },
  };
}
