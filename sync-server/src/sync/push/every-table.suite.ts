import { randomUUID } from 'node:crypto';
import { ENTITY_KEYS, entities, type EntityKey, isProjection, isSynced, wireSchema } from '@parley/domain';
import { eq } from 'drizzle-orm';
import type { PgTable } from 'drizzle-orm/pg-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { DatabaseConnection } from '../../db/client.ts';
import { syncScopes, tables } from '../../db/tables.ts';
import { aRow, type WireRow } from '../../../test-kit/sync/any-row.ts';
import { registerDevice, startServer, type TestDevice, type TestServer } from '../../../test-kit/server.ts';

/** Fields that the server sets, whatever a device sends. */
const SERVER_SET = ['syncVersion', 'updatedAt', 'deletedAt'];

/** Rows that the server holds back would not come back. */
const SHOWN: Partial<Record<EntityKey, WireRow>> = {
  practices: { availability: 'ready' },
  videos: { availability: 'ready' },
  blogPosts: { publishedAt: '2026-11-01T08:00:00.000Z' },
};

const isComputed = (key: EntityKey, name: string): boolean => isProjection(entities[key], name);

const without = (row: WireRow, names: readonly string[]): WireRow =>
  Object.fromEntries(Object.entries(row).filter(([name]) => !names.includes(name)));

export function everyTableSuite(open: () => Promise<DatabaseConnection>): void {
  let server: TestServer;
  let learners: { device: TestDevice; written: Map<EntityKey, WireRow> }[];

  /** Writes rows that only the server may write. */
  const plant = async (key: EntityKey, row: WireRow): Promise<void> => {
    const values = wireSchema(entities[key]).parse(row);
    const table: PgTable = tables[key];
    if (key === 'users') {
      const account = Object.keys(values).filter((name) => entities.users.accountFields.some((own) => own === name));
      const set = Object.fromEntries(account.map((name) => [name, values[name]]));
      await server.database.db
        .update(tables.users)
        .set(set)
        .where(eq(tables.users.userId, values['userId'] as never));
    } else await server.database.db.insert(table).values(values);
  };

  const write = async (filled: 'full' | 'sparse') => {
    const device = await registerDevice(server);
    const idByTable = new Map<string, string>([['users', device.userId]]);
    const written = new Map<EntityKey, WireRow>();
    for (const key of ENTITY_KEYS) {
      const { name, owner, accountFields, key: keyName } = entities[key];
      const row = { ...aRow(key, idByTable, filled), ...SHOWN[key] };
      written.set(key, row);
      if (owner !== 'learner' || key === 'users') await plant(key, row);
      if (owner !== 'learner') continue;
      const computed = Object.keys(row).filter((field) => isComputed(key, field));
      const fields = without(row, [...SERVER_SET, ...accountFields, ...computed]) as Record<string, never>;
      const { outcomes } = await device.push(device.change({ table: name, rowId: String(row[keyName]), fields }));
      // A learner's own row already existed with its own times.
      expect(outcomes, name).toMatchObject([{ status: key === 'users' ? 'merged' : 'applied' }]);
    }
    return { device, written };
  };

  beforeAll(async () => {
    server = await startServer(await open());
    await server.database.db.insert(syncScopes).values({ scope: 'catalogue', version: 1 });
    learners = [await write('full'), await write('sparse')];
  });
  afterAll(() => server.close());

  const synced = ENTITY_KEYS.filter(isSynced);

  it.each(synced)('a row of %s round-trips, both complete and with nulls', async (key) => {
    const { name, key: keyName } = entities[key];
    for (const { device, written } of learners) {
      const row = written.get(key) ?? {};
      const pulled = (await device.pull()).find(
        ({ table, fields }) => table === name && fields[keyName] === row[keyName],
      );
      // A learner's row is older than the change that was written to it.
      const stamps = key === 'users' ? [...SERVER_SET, 'createdAt'] : SERVER_SET;
      const computed = Object.keys(row).filter((field) => isComputed(key, field));
      expect(without(pulled?.fields ?? {}, stamps)).toEqual(without(row, [...stamps, ...computed]));
      expect(pulled?.fields['deletedAt']).toBeNull();
    }
  });

  it('a learner never sees another learner’s row, in any table', async () => {
    const [first, second] = learners;
    const seen = JSON.stringify(await second?.device.pull());
    const theirs = ENTITY_KEYS.filter((key) => entities[key].owner !== 'catalogue');
    expect(theirs.length).toBeGreaterThan(8);
    for (const key of theirs) {
      expect(seen).not.toContain(String(first?.written.get(key)?.[entities[key].key]));
    }
    expect(seen).not.toContain(first?.device.userId);
    for (const key of theirs.filter(isSynced))
      expect(seen).toContain(String(second?.written.get(key)?.[entities[key].key]));
  });

  it.each(synced.filter((key) => entities[key].owner === 'learner'))(
    'a learner cannot change or delete another learner’s row of %s',
    async (key) => {
      const [owner, intruder] = learners;
      const { name, key: keyName } = entities[key];
      const row = owner?.written.get(key) ?? {};
      const before = await owner?.device.pull();
      const fields = key === 'users' ? { jobTitle: 'Taken' } : { userId: intruder?.device.userId ?? '' };
      const change = { table: name, rowId: String(row[keyName]), ms: server.now().getTime() + 1_000 };
      const pushed = await intruder?.device.push(
        intruder.device.change({ ...change, fields }),
        intruder.device.change({ ...change, op: 'delete' }),
      );
      expect(pushed?.outcomes).toMatchObject([{ code: 'not_yours' }, { code: 'not_yours' }]);
      expect(await owner?.device.pull()).toEqual(before);
    },
  );

  it.each(synced.filter((key) => entities[key].owner !== 'learner'))('no device can write %s', async (key) => {
    const [learner] = learners;
    const { name, key: keyName } = entities[key];
    const rowId = String(learner?.written.get(key)?.[keyName]);
    for (const change of [{ rowId, op: 'delete' as const }, { rowId }, { rowId: randomUUID() }]) {
      const pushed = await learner?.device.push(learner.device.change({ table: name, ...change }));
      expect(pushed?.outcomes).toMatchObject([{ status: 'rejected', code: 'read_only' }]);
    }
  });

  it.each(entities.users.accountFields)('no device can write users.%s', async (field) => {
    const [learner] = learners;
    const value = learner?.written.get('users')?.[field] as never;
    const pushed = await learner?.device.push(
      learner.device.change({
        table: 'users',
        rowId: learner.device.userId,
        fields: { jobTitle: 'x', [field]: value },
      }),
    );
    expect(pushed?.outcomes).toMatchObject([{ status: 'rejected', code: 'account_field', field }]);
    const users = (await learner?.device.pull())?.find(({ table }) => table === 'users');
    expect(users?.fields['jobTitle']).not.toBe('x');
  });
}
