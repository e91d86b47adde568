import type { PGlite } from '@electric-sql/pglite';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import { openNewMemoryDatabase } from '../../../test-kit/memory-database.ts';
import type { Database, DatabaseConnection } from '../client.ts';

let connection: DatabaseConnection;
let pglite: PGlite;
beforeAll(async () => {
  // A connection names a limited number of statements, and other tests may have used them up on a shared one.
  connection = await openNewMemoryDatabase();
  if (connection.jobs.type !== 'pglite') throw new Error('A database in memory must be PGlite.');
  pglite = connection.jobs.pglite;
  await pglite.exec(`
    create table pairs (id int primary key, word text, refers_to int references pairs (id) deferrable initially deferred)
  `);
});
afterAll(() => connection.close());
beforeEach(() => pglite.exec('delete from pairs'));

const insert = (db: Database, id: number, refersTo: number | null = null) =>
  db.execute(sql`insert into pairs (id, word, refers_to) values (${id}, ${`word ${id}`}, ${refersTo})`);

async function select(db: Database, id: number): Promise<unknown> {
  const result = (await db.execute(sql`select word from pairs where id = ${id}`)) as { rows: unknown[] };
  return result.rows[0];
}

const causeOf = (failing: Promise<unknown>): Promise<unknown> =>
  failing.then(
    () => null,
    (error: unknown) => (error as Error).cause,
  );

it('a statement is planned for the table as it is', async () => {
  const { rows } = await pglite.query('show plan_cache_mode');
  expect(rows).toEqual([{ plan_cache_mode: 'force_custom_plan' }]);
});

it('a statement takes two calls, and one when it recurs', async () => {
  const calls = vi.spyOn(pglite, 'execProtocolRaw');
  const counts: number[] = [];
  for (let use = 0; use < 4; use++) {
    calls.mockClear();
    const { rows } = await pglite.query('select $1::int + 1 as sum, $2::text as word', [use, 'a']);
    expect(rows).toEqual([{ sum: use + 1, word: 'a' }]);
    counts.push(calls.mock.calls.length);
  }
  // The second use names the statement, so it still describes it.
  expect(counts).toEqual([2, 2, 1, 1]);
});

it('rows are the same however often a statement is used', async () => {
  for (const id of [1, 2, 3, 4]) {
    await insert(connection.db, id);
    expect(await select(connection.db, id)).toEqual({ word: `word ${id}` });
  }
  expect(await select(connection.db, 5)).toBeUndefined();
});

it('a failed statement is reported and leaves the next one alone', async () => {
  for (let use = 0; use < 4; use++) {
    await pglite.exec('delete from pairs');
    await insert(connection.db, 1);
    expect(await causeOf(insert(connection.db, 1))).toMatchObject({
      code: '23505',
      query: expect.stringContaining('into'),
    });
    expect(await causeOf(connection.db.execute(sql`select missing from pairs`))).toMatchObject({ code: '42703' });
    expect(await select(connection.db, 1)).toEqual({ word: 'word 1' });
  }
});

it('a value of the wrong type is reported', async () => {
  for (let use = 0; use < 4; use++) {
    expect(await causeOf(connection.db.execute(sql`select word from pairs where id = ${'one'}`))).toMatchObject({
      code: '22P02',
    });
    expect(await select(connection.db, 1)).toBeUndefined();
  }
});

it('a transaction and a savepoint roll back', async () => {
  const { db } = connection;
  for (let use = 0; use < 3; use++) {
    await pglite.exec('delete from pairs');
    await db.transaction(async (tx) => {
      await insert(tx, 1);
      await expect(
        tx.transaction(async (inner) => {
          await insert(inner, 2);
          await insert(inner, 1);
        }),
      ).rejects.toThrow();
      await insert(tx, 3);
    });
    expect([await select(db, 1), await select(db, 2), await select(db, 3)]).toEqual([
      { word: 'word 1' },
      undefined,
      { word: 'word 3' },
    ]);
    await expect(
      db.transaction(async (tx) => {
        await insert(tx, 4);
        throw new Error('changed my mind');
      }),
    ).rejects.toThrow('changed my mind');
    expect(await select(db, 4)).toBeUndefined();
  }
});

it('reports constraints checked at the end of a statement or transaction', async () => {
  const { db } = connection;
  for (let use = 0; use < 3; use++) {
    expect(await causeOf(insert(db, 1, 9))).toMatchObject({ code: '23503' });
    await expect(db.transaction((tx) => insert(tx, 1, 9))).rejects.toMatchObject({ code: '23503' });
    await db.transaction(async (tx) => {
      await insert(tx, 1, 2);
      await insert(tx, 2);
    });
    expect(await select(db, 1)).toEqual({ word: 'word 1' });
    await pglite.exec('delete from pairs');
  }
});

it('a statement prepared in a transaction that rolled back can be used later', async () => {
  const { db } = connection;
  const count = (from: Database) => from.execute(sql`select count(*)::int as pairs_now from pairs`);
  await expect(
    db.transaction(async (tx) => {
      await count(tx);
      await count(tx);
      throw new Error('rolled back');
    }),
  ).rejects.toThrow('rolled back');
  expect(await count(db)).toMatchObject({ rows: [{ pairs_now: 0 }] });
});

it('statements that run at once do not mix', async () => {
  const ids = Array.from({ length: 20 }, (_, id) => id);
  await Promise.all(ids.map((id) => insert(connection.db, id)));
  expect(await Promise.all(ids.map((id) => select(connection.db, id)))).toEqual(
    ids.map((id) => ({ word: `word ${id}` })),
  );
});
