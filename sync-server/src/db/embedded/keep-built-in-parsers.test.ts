import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openMemoryDatabase } from '../../../test-kit/memory-database.ts';
import type { DatabaseConnection } from '../client.ts';

let database: DatabaseConnection;
beforeAll(async () => {
  database = await openMemoryDatabase();
});
afterAll(() => database.close());

it('a statement on PGlite carries no parsers of tables', () => {
  const { jobs } = database;
  if (jobs.type !== 'pglite') throw new Error('A database in memory must be PGlite.');
  expect(Object.keys(jobs.pglite.parsers).length).toBeLessThan(150);
});

it('scalars and their arrays are still parsed', async () => {
  const { rows } = (await database.db.execute(
    sql`select array['a', null] as words, array[1, 2] as numbers, '{"a":1}'::jsonb as json, true as flag, 7 as count`,
  )) as { rows: unknown[] };
  expect(rows).toEqual([{ words: ['a', null], numbers: [1, 2], json: { a: 1 }, flag: true, count: 7 }]);
});
