/** Stores what a coach remembers about a learner as lines in `summary`, which sync to every device and can be deleted one by one. */
import { nextVersion, readUser, writeUser } from '../account/index.ts';
import type { Database } from '../db/client.ts';

const MAX_LINES = 24;
/** The column's limit. */
const MAX_CHARACTERS = 4_000;

export const splitLines = (summary: string | null): string[] =>
  (summary ?? '').split('\n').flatMap((line) => (line.trim() === '' ? [] : [line.trim()]));

/** Keeps the newest lines that fit. */
function keepNewest(lines: readonly string[]): string[] {
  const kept: string[] = [];
  let characters = 0;
  for (const line of lines.toReversed()) {
    characters += line.length + 1;
    if (kept.length === MAX_LINES || characters > MAX_CHARACTERS) break;
    kept.push(line);
  }
  return kept.toReversed();
}

export interface MemoryParts {
  db: Database;
  now: () => Date;
  onChanged: (userId: string, version: number) => void;
}

export interface Memory {
  add: (userId: string, lines: readonly string[]) => Promise<void>;
  forget: (userId: string, line: string) => Promise<void>;
}

export function createMemory({ db, now, onChanged }: MemoryParts): Memory {
  async function rewrite(userId: string, change: (lines: readonly string[]) => readonly string[]): Promise<void> {
    const version = await db.transaction(async (tx) => {
      // This acquires the lock that protects the read below.
      const next = await nextVersion(tx, userId);
      const user = await readUser(tx, userId);
      if (next === null || user === null) return null;
      const lines = keepNewest(change(splitLines(user.summary)));
      await writeUser(tx, userId, {
        summary: lines.length === 0 ? null : lines.join('\n'),
        version: next,
        at: now(),
      });
      return next;
    });
    if (version !== null) onChanged(userId, version);
  }

  return {
    async add(userId, lines) {
      const plain = lines.map((line) => line.replaceAll(/\s+/g, ' ').trim()).filter((line) => line !== '');
      if (plain.length === 0) return;
      await rewrite(userId, (known) => [...known, ...plain.filter((line) => !known.includes(line))]);
    },
    forget: (userId, line) => rewrite(userId, (known) => known.filter((each) => each !== line.trim())),
  };
}
