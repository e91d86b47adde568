import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { DatabaseConnection } from '../db/client.ts';
import { serverState } from '../db/tables.ts';
import { settleEpoch } from './settle-epoch.ts';

/** Of PostgreSQL, which can say which database it is, and on which line of its history. */
export function identitySuite(open: () => Promise<DatabaseConnection>): void {
  let connection: DatabaseConnection;
  beforeAll(async () => {
    connection = await open();
  });
  afterAll(() => connection.close());

  const read = async () => (await connection.db.select().from(serverState))[0];
  const identity = async (): Promise<Record<string, string | null>> => JSON.parse((await read())?.identity ?? '{}');
  const pretend = async (change: Record<string, string | null>) => {
    const changed = JSON.stringify({ ...(await identity()), ...change });
    await connection.db.execute(sql`update server_state set identity = ${changed}`);
  };

  it('is remembered at the first start, and the epoch kept at the next', async () => {
    const before = await read();
    expect(await settleEpoch(connection)).toBeNull();
    expect(await identity()).toEqual({
      system: expect.stringMatching(/^\d+$/),
      database: expect.stringMatching(/^\d+$/),
      timeline: '00000001',
    });
    expect(await settleEpoch(connection)).toBeNull();
    expect((await read())?.epoch).toBe(before?.epoch);
  });

  it.each([
    ['another cluster', { system: '1' }],
    ['another database of the cluster', { database: '1' }],
    ['another line of its history', { timeline: '00000002' }],
  ])('of %s begins a new epoch, once', async (_what, other) => {
    await settleEpoch(connection);
    const before = await read();
    await pretend(other);
    expect(await settleEpoch(connection)).toBe('identity_changed');
    expect((await read())?.epoch).not.toBe(before?.epoch);
    expect(await settleEpoch(connection)).toBeNull();
  });

  it('that cannot be read says nothing', async () => {
    await settleEpoch(connection);
    await pretend({ system: null, timeline: null });
    expect(await settleEpoch(connection)).toBeNull();
    await connection.db.execute(sql`update server_state set identity = 'not JSON'`);
    expect(await settleEpoch(connection)).toBeNull();
  });
}
