import { loadStarterCatalogue } from '@parley/catalogue';
import { entities, PracticeId } from '@parley/domain';
import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { DatabaseConnection } from '../db/client.ts';
import { tables } from '../db/tables.ts';
import { registerDevice, startServer, type TestDevice, type TestServer } from '../test-kit/server.ts';
import { bringInStarterCatalogue } from './index.ts';

export function catalogueSuite(open: () => Promise<DatabaseConnection>): void {
  let server: TestServer;
  let device: TestDevice;
  beforeAll(async () => {
    server = await startServer(await open(), { withCatalogue: true });
    device = await registerDevice(server);
  });
  afterAll(() => server.close());

  const bringIn = () => bringInStarterCatalogue({ db: server.database.db, now: server.now });
  const practices = async () => (await device.pull()).filter(({ table }) => table === 'practices');

  describe('the starter catalogue', () => {
    it('is there at first start, every row of it', async () => {
      const rows = await device.pull();
      for (const [key, expected] of Object.entries(loadStarterCatalogue())) {
        const { name } = entities[key as keyof typeof entities];
        expect(rows.filter(({ table }) => table === name)).toHaveLength(expected.length);
      }
      expect(await practices()).toHaveLength(12);
    });

    it('is not brought in twice, and a second start moves nothing', async () => {
      const before = await device.pull();
      expect(await bringIn()).toBe(0);
      expect(await device.pull()).toEqual(before);
    });

    it('sends only the row that changed', async () => {
      const [first] = await practices();
      const practiceId = PracticeId.parse(first?.fields['practiceId']);
      const cursor = Math.max(...(await device.pull()).map(({ fields }) => Number(fields['syncVersion'])));
      await server.database.db
        .update(tables.practices)
        .set({ title: 'An older title' })
        .where(eq(tables.practices.practiceId, practiceId));
      expect(await bringIn()).toBe(1);
      const changed = await device.pull({ catalogue: cursor });
      expect(changed.filter(({ table }) => table !== 'users')).toMatchObject([
        { table: 'practices', fields: { practiceId, title: first?.fields['title'] } },
      ]);
    });
  });
}
