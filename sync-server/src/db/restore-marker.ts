/**
 * A file beside a database's folder that counts what was confirmed to devices. A folder that is put back from a copy leaves the file
 * where it is, and so is recognised by its smaller count.
 */
import { readFile, rename, writeFile } from 'node:fs/promises';
import { z } from 'zod';

const Mark = z.object({ epoch: z.string(), commits: z.number().int().min(0) });
export type Mark = z.infer<typeof Mark>;

export interface RestoreMarker {
  /** Null: there is no such file, or it cannot be read. */
  read: () => Promise<Mark | null>;
  /** Resolves when the file says this, or something newer of the same epoch. */
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
        return Mark.parse(JSON.parse(await readFile(path, 'utf8')));
      } catch {
        return null;
      }
    },
    async record(mark) {
      if (newest === null || newest.epoch !== mark.epoch || newest.commits < mark.commits) newest = mark;
      // Several that wait for the same write share it.
      writing = writing.then(write, write);
      await writing;
    },
  };
}
