import { randomUUID } from 'node:crypto';
import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { userScope } from '../../account/index.ts';
import type { DatabaseConnection } from '../../db/client.ts';
import { syncScopes, tables } from '../../db/tables.ts';
import { type CatalogueIds, catalogueIds, sessionFields } from '../../../test-kit/sync/rows.ts';
import { registerDevice, startServer, type TestDevice, type TestServer } from '../../../test-kit/server.ts';

const QUOTA_BYTES = 40_000;
const PLUS_BYTES = 80_000;
/** Includes the longest summary and its overhead. */
const LARGE_SESSION_BYTES = 5_000;

export function storageQuotaSuite(open: () => Promise<DatabaseConnection>): void {
  let server: TestServer;
  let ids: CatalogueIds;
  beforeAll(async () => {
    server = await startServer(await open(), {
      withCatalogue: true,
      storageQuotas: { FREE: QUOTA_BYTES, TRIALING: PLUS_BYTES, PLUS: PLUS_BYTES, PRO: PLUS_BYTES },
    });
    ids = await catalogueIds(await registerDevice(server));
  });
  afterAll(() => server.close());

  const aLargeSession = (device: TestDevice, rowId: string = randomUUID()) =>
    device.change({
      table: 'practice_history',
      rowId,
      fields: { ...sessionFields(ids, device.userId), summary: 's'.repeat(4_000), status: 'completed' },
    });
  const noRoom = { status: 'rejected', code: 'limit_exceeded', field: null };
  /** Pushes sessions until the quota is full and returns the ids of those that were accepted. */
  const fill = async (device: TestDevice): Promise<string[]> => {
    const taken: string[] = [];
    for (;;) {
      const change = aLargeSession(device);
      const [outcome] = (await device.push(change)).outcomes;
      if (outcome?.status === 'rejected') return taken;
      taken.push(change.rowId);
    }
  };

  describe('an account’s storage', () => {
    it('is limited by its plan, and a change over the quota is rejected without a field', async () => {
      const device = await registerDevice(server);
      const taken = await fill(device);
      expect(taken.length).toBeGreaterThan(QUOTA_BYTES / LARGE_SESSION_BYTES / 2);
      expect(taken.length).toBeLessThanOrEqual(QUOTA_BYTES / 4_000);
      expect((await device.push(aLargeSession(device))).outcomes).toMatchObject([noRoom]);
      await server.database.db.insert(tables.subscriptions).values({
        subscriptionId: randomUUID(),
        userId: device.userId,
        planType: 'PLUS',
        status: 'active',
        quota: 0,
        remainingTime: 0,
        cancelAtPeriodEnd: false,
        createdAt: server.now(),
        updatedAt: server.now(),
        syncVersion: 0,
      });
      expect((await device.push(aLargeSession(device))).outcomes).toMatchObject([{ status: 'applied' }]);
    });

    it('always accepts a deletion, which frees space', async () => {
      const device = await registerDevice(server);
      const taken = await fill(device);
      const refused = aLargeSession(device);
      const deletions = taken
        .slice(0, 4)
        .map((rowId) => device.change({ table: 'practice_history', rowId, op: 'delete', fields: {} }));
      const { outcomes } = await device.push(refused, ...deletions);
      expect(outcomes).toMatchObject([noRoom, ...deletions.map(() => ({ status: 'applied' }))]);
      expect((await device.push(aLargeSession(device, refused.rowId))).outcomes).toMatchObject([{ status: 'applied' }]);
    });

    it('accepts a smaller row, and nothing after a change over the quota', async () => {
      const device = await registerDevice(server);
      const [first = ''] = await fill(device);
      const shorter = device.change({ table: 'practice_history', rowId: first, fields: { summary: 's' } });
      const large = aLargeSession(device);
      const [applied, ...rest] = (await device.push(shorter, large, aLargeSession(device))).outcomes;
      expect(applied?.status).not.toBe('rejected');
      expect(rest.filter(({ status }) => status === 'rejected').length).toBeGreaterThan(0);
      const another = aLargeSession(device);
      const small = device.change({
        table: 'practice_history',
        rowId: randomUUID(),
        fields: sessionFields(ids, device.userId),
      });
      const behind = await device.push(another, small);
      expect(behind.outcomes).toMatchObject([noRoom, noRoom]);
    });

    it('is recounted when its count is missing or wrong', async () => {
      const device = await registerDevice(server);
      await fill(device);
      const { db } = server.database;
      for (const storedBytes of [null, QUOTA_BYTES * 10]) {
        await db
          .update(syncScopes)
          .set({ storedBytes })
          .where(eq(syncScopes.scope, userScope(device.userId)));
        expect((await device.push(aLargeSession(device))).outcomes).toMatchObject([noRoom]);
        const [scope] = await db
          .select()
          .from(syncScopes)
          .where(eq(syncScopes.scope, userScope(device.userId)));
        expect(scope?.storedBytes).toBeGreaterThan(QUOTA_BYTES / 2);
        expect(scope?.storedBytes).toBeLessThanOrEqual(QUOTA_BYTES * 1.1);
      }
    });
  });

  describe('the size of JSON values', () => {
    it('is limited including unknown keys, and the rest of the change is applied', async () => {
      const device = await registerDevice(server);
      const rowId = randomUUID();
      await device.push(device.change({ table: 'practice_history', rowId, fields: sessionFields(ids, device.userId) }));
      const feedback = { best: 'x', fix: 'x', nextStep: 'x', wordsToTrain: [] };
      const change = (junk: string) =>
        device.change({ table: 'practice_history', rowId, fields: { feedback: { ...feedback, junk }, duration: 7 } });
      expect((await device.push(change('x'.repeat(1_000)))).outcomes).toMatchObject([{ status: 'applied' }]);
      expect((await device.push(change('x'.repeat(200_000)))).outcomes).toMatchObject([
        { status: 'merged', refused: [{ field: 'feedback', code: 'invalid_value' }] },
      ]);
    });
  });
}
