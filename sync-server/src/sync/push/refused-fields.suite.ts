import { MAX_REFUSED_FIELDS } from '@parley/contract';
import { eq, sql } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import type { DatabaseConnection } from '../../db/client.ts';
import { rejections } from '../../db/tables.ts';
import { setUpSyncFixture } from '../../../test-kit/sync/sync-fixture.ts';
import { registerDevice, type TestDevice } from '../../../test-kit/server.ts';

/** As many short names as fit into one push. */
const MANY_FIELDS = 60_000;

/**
 * Runs a device that sends changes with very many unknown fields; the server keeps a list of them for repeated pushes.
 */
export function refusedFieldsSuite(open: () => Promise<DatabaseConnection>): void {
  const home = setUpSyncFixture(open);

  const change = (device: TestDevice, count: number) => {
    const unknown = Array.from({ length: count }, (_, nr) => [`x${nr.toString(36)}`, 1]);
    const fields = { jobTitle: `with ${count}`, ...Object.fromEntries(unknown) };
    return device.change({ table: 'users', rowId: device.userId, fields });
  };
  const jobTitle = async (device: TestDevice): Promise<unknown> =>
    (await device.pull()).find(({ table }) => table === 'users')?.fields['jobTitle'];
  const storedBytes = async ({ deviceId }: TestDevice): Promise<number> =>
    (await home.server.database.db.select().from(rejections).where(eq(rejections.deviceId, deviceId)))
      .map((row) => JSON.stringify(row).length)
      .reduce((sum, length) => sum + length, 0);

  describe('a change with many unknown fields', () => {
    it('up to the limit is applied without them', async () => {
      const device = await registerDevice(home.server);
      const { outcomes } = await device.push(change(device, MAX_REFUSED_FIELDS));
      const refused = expect.arrayContaining([{ field: 'x0', code: 'unknown_field' }]);
      expect(outcomes).toMatchObject([{ status: 'merged', refused }]);
      expect(await jobTitle(device)).toBe(`with ${MAX_REFUSED_FIELDS}`);
    });

    it('above the limit is rejected as a whole, also when it is repeated, and stores next to nothing', async () => {
      const device = await registerDevice(home.server);
      const changes = [MAX_REFUSED_FIELDS + 1, MANY_FIELDS].map((count) => change(device, count));
      for (const one of changes)
        for (let time = 0; time < 2; time += 1)
          expect((await device.push(one)).outcomes).toEqual([
            { id: one.id, status: 'rejected', code: 'unknown_field', field: 'x0' },
          ]);
      expect(await jobTitle(device)).toBeNull();
      expect(await storedBytes(device)).toBeLessThan(1_000);
    });
  });

  describe('long lists that a server before the limit has stored', () => {
    it('are neither loaded by other pushes nor returned whole', async () => {
      const device = await registerDevice(home.server);
      const sent = Array.from({ length: 30 }, () => device.change({ table: 'unknown', rowId: device.userId }));
      await device.push(...sent);
      // 100 MB of text for the program, of which the database stores a hundredth.
      await home.server.database.db.execute(sql`
        update rejections set code = 'unknown_field', refused = (
          select jsonb_agg(jsonb_build_object('field', 'x' || nr, 'code', 'unknown_field')) from generate_series(1, 80000) as nr)
        where device_id = ${device.deviceId}`);
      const [first, ...others] = sent;
      const startedMs = performance.now();
      const { outcomes } = await device.push(...(first === undefined ? [] : [first]));
      expect(performance.now() - startedMs).toBeLessThan(1_000);
      expect(outcomes[0]).toMatchObject({ status: 'merged' });
      expect((outcomes[0] as { refused?: unknown[] }).refused).toHaveLength(MAX_REFUSED_FIELDS);
      expect(JSON.stringify(await device.push(...others)).length).toBeLessThan(1_000_000);
      // The next push shows that the device has received these responses.
      await device.push(device.change({ table: 'unknown', rowId: device.userId }));
      expect(await storedBytes(device)).toBeLessThan(1_000);
    });
  });
}
