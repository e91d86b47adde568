import { readFileSync } from 'node:fs';
import { generateDrizzleJson, generateMigration } from 'drizzle-kit/api';
import { expect, it } from 'vitest';
import { z } from 'zod';
import * as schema from './schema.ts';

const Journal = z.object({ entries: z.array(z.object({ idx: z.number(), tag: z.string() })) });
const read = (path: string): unknown =>
  JSON.parse(readFileSync(new URL(`./migrations/meta/${path}`, import.meta.url), 'utf8'));

const declared = (): ReturnType<typeof generateDrizzleJson> => generateDrizzleJson(schema);

it('the migrations create exactly the declared tables', async () => {
  const newest = Journal.parse(read('_journal.json')).entries.at(-1);
  const snapshot = read(`${String(newest?.idx).padStart(4, '0')}_snapshot.json`) as ReturnType<typeof declared>;
  expect(await generateMigration(snapshot, declared())).toEqual([]);
});

it('a table that is missing in the migrations is detected', async () => {
  const { users: _, ...without } = declared().tables as Record<string, never>;
  const older = {
    ...declared(),
    tables: Object.fromEntries(Object.entries(without).filter(([name]) => name !== 'public.videos')),
  };
  expect((await generateMigration(older, declared())).join('\n')).toContain('CREATE TABLE "videos"');
});
