/** Takes a database back to the first version that ever shipped, with its rows: what a learner or a server has who skipped every update. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { z } from 'zod';

const Journal = z.object({ entries: z.array(z.object({ when: z.number(), tag: z.string() })).min(1) });

export interface FirstMigration {
  statements: string[];
  /** As drizzle notes it when it has run. */
  hash: string;
  when: number;
  /** There is only this one: the current version is the first. */
  isOnlyOne: boolean;
}

export function firstMigration(migrationsDir: URL): FirstMigration {
  const read = (path: string): string => readFileSync(new URL(path, migrationsDir), 'utf8');
  const { entries } = Journal.parse(JSON.parse(read('meta/_journal.json')));
  const [first] = entries;
  if (first === undefined) throw new Error('there are no migrations');
  const sql = read(`${first.tag}.sql`);
  return {
    statements: sql.split('--> statement-breakpoint'),
    hash: createHash('sha256').update(sql).digest('hex'),
    when: first.when,
    isOnlyOne: entries.length === 1,
  };
}
