import { randomUUID } from 'node:crypto';
import { MAX_KNOWN_ROWS_AT_ONCE } from '@parley/contract';
import { entities } from '@parley/domain';
import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { DatabaseConnection } from '../db/client.ts';
import { tables } from '../db/tables.ts';
import { anEmail, createMailbox, signInDevice } from '../../test-kit/mailbox.ts';
import { seedLearner } from '../../test-kit/sync/seed-learner.ts';
import { registerDevice, startServer, type TestDevice, type TestServer } from '../../test-kit/server.ts';
import { LEARNER_ENTITY_KEYS, ownerColumn } from './deletion/erase-learner.ts';

export function knownRowsSuite(open: () => Promise<DatabaseConnection>): void {
  let server: TestServer;
  let learner: TestDevice;
  beforeAll(async () => {
    const mailbox = createMailbox();
    server = await startServer(await open(), { enqueueMail: mailbox.enqueue });
    learner = await signInDevice(server, mailbox, { email: anEmail(), as: await registerDevice(server) });
    await seedLearner(server, learner);
  });
  afterAll(() => server.close());

  const ask = (ids: readonly string[], as = learner) => server.post('/v1/account/known-rows', { ids }, as.token);

  async function storedIds(): Promise<string[]> {
    const ids: string[] = [];
    for (const key of LEARNER_ENTITY_KEYS) {
      const rows: Record<string, unknown>[] = await server.database.db
        .select()
        .from(tables[key])
        .where(eq(ownerColumn(key), learner.userId));
      ids.push(...rows.map((row) => String(row[entities[key].key])));
    }
    return ids;
  }

  it('lists the rows of each table that the learner has, deleted ones too, and no others', async () => {
    const ids = await storedIds();
    expect(ids.length).toBeGreaterThanOrEqual(LEARNER_ENTITY_KEYS.length);
    const { db } = server.database;
    await db
      .update(tables.practiceHistory)
      .set({ deletedAt: server.now() })
      .where(eq(tables.practiceHistory.userId, learner.userId));
    const { status, body } = await ask([...ids, randomUUID()]);
    expect(status).toBe(200);
    expect((body['ids'] as string[]).toSorted()).toEqual(ids.toSorted());
  });

  it('tells another learner nothing about them', async () => {
    const { body } = await ask(await storedIds(), await registerDevice(server));
    expect(body).toEqual({ ids: [] });
  });

  it('refuses invalid ids, too many ids, and callers without an account', async () => {
    expect((await ask(["'; drop table users"])).status).toBe(400);
    const tooMany = Array.from({ length: MAX_KNOWN_ROWS_AT_ONCE + 1 }, () => randomUUID());
    expect((await ask(tooMany)).status).toBe(400);
    expect((await ask(tooMany.slice(1))).status).toBe(200);
    expect((await server.post('/v1/account/known-rows', { ids: [] })).status).toBe(401);
  });
}
