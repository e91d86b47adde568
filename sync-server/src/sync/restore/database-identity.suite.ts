import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { DatabaseConnection } from '../../db/client.ts';
import { serverState } from '../../db/tables.ts';
import { detectRestore } from './detect-restore.ts';

/** Tests how PostgreSQL identifies a database and the timeline of its history. */
export function databaseIdentitySuite(open: () => Promise<DatabaseConnection>): void {
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

  it('is stored at the first start, and the epoch is kept at the next', async () => {
    const before = await read();
    expect(await detectRestore(connection)).toBeNull();
    expect(await identity()).toEqual({
      system: expect.stringMatching(/^\d+$/),
      database: expect.stringMatching(/^\d+$/),
      timeline: '00000001',
    });
    expect(await detectRestore(connection)).toBeNull();
    expect((await read())?.epoch).toBe(before?.epoch);
  });

  it.each([
    ['cluster', { system: '1' }],
    ['database', { database: '1' }],
    ['timeline', { timeline: '00000002' }],
  ])('a changed %s begins a new epoch once', async (_what, other) => {
    await detectRestore(connection);
    const before = await read();
    await pretend(other);
    expect(await detectRestore(connection)).toBe('identity_changed');
    expect((await read())?.epoch).not.toBe(before?.epoch);
    expect(await detectRestore(connection)).toBeNull();
  });

  it('an unreadable identity is ignored', async () => {
    await detectRestore(connection);
    await pretend({ system: null, timeline: null });
    expect(await detectRestore(connection)).toBeNull();
    await connection.db.execute(sql`update server_state set identity = 'not JSON'`);
    expect(await detectRestore(connection)).toBeNull();
  });
}
