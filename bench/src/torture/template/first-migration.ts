/** Reads the first migration, with which a database is taken back to the first released version. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { z } from 'zod';

const Journal = z.object({ entries: z.array(z.object({ when: z.number(), tag: z.string() })).min(1) });

export interface FirstMigration {
  statements: string[];
  /** The hash as drizzle records it. */
  hash: string;
  when: number;
  /** True when the current version is the first. */
  isOnlyMigration: boolean;
}

export function readFirstMigration(migrationsDir: URL): FirstMigration {
  const read = (path: string): string => readFileSync(new URL(path, migrationsDir), 'utf8');
  const { entries } = Journal.parse(JSON.parse(read('meta/_journal.json')));
  const [first] = entries;
  if (first === undefined) throw new Error('there are no migrations');
  const sql = read(`${first.tag}.sql`);
  return {
    statements: sql.split('--> statement-breakpoint'),
    hash: createHash('sha256').update(sql).digest('hex'),
    when: first.when,
    isOnlyMigration: entries.length === 1,
  };
}
