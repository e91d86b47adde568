import { randomUUID } from 'node:crypto';
import type { Mutation } from '@parley/contract';
import { formatHybridTime } from '@parley/domain';
import { sql } from 'drizzle-orm';
import { expect, it } from 'vitest';
import type { Database } from '../../db/client.ts';
import { openMemoryDatabase } from '../../../test-kit/memory-database.ts';
import { registerDevice, startServer } from '../../../test-kit/server.ts';
import { applyMutations, BatchFailed } from './apply-mutations.ts';
import { orderChanges } from './change-order.ts';
import { inOwnTransaction } from './statements/merged-statements.ts';
import type { WriteContext } from './row-plan.ts';

const WORDS = 'what the learner said in confidence';

it('reports the change that triggers a bug, without its content', async () => {
  const database = await openMemoryDatabase();
  const [userId, deviceId] = [randomUUID(), randomUUID()];
  const at = formatHybridTime({ ms: 0, counter: 0, deviceId });
  const common = { op: 'upsert' as const, at, base: 0, fields: { userId, jobTitle: WORDS } };
  const mutations: Mutation[] = [
    { ...common, id: randomUUID(), deviceSeq: 1, table: 'nonsense', rowId: userId },
    { ...common, id: randomUUID(), deviceSeq: 2, table: 'users', rowId: userId },
  ];
  const broken = {
    getTime: () => {
      throw new Error('a bug');
    },
  } as unknown as Date;
  const storage = { usedBytes: 0, quotaBytes: 1_000_000 };
  const order = orderChanges([], { protocol: 3, deviceNow: null, offsetMs: 0, last: null, hasSentChanges: false });
  const write: WriteContext = {
    userId,
    deviceId,
    protocol: 3,
    at: broken,
    version: 2,
    clockOffsetMs: 0,
    order,
    storage,
  };
  const faults: string[] = [];
  const onFault = ({ table }: Mutation, error: unknown) => void faults.push(`${table}: ${String(error)}`);
  const parts = { onBug: onFault, hasSavepoints: true, progress: null };
  await expect(applyMutations(inOwnTransaction(database.db), mutations, write, parts)).rejects.toThrow('a bug');
  expect(faults).toEqual(['users: Error: a bug']);
  expect(faults.join('')).not.toContain(WORDS);
  await database.close();
});

it('isolates one change that only the database rejects in a few attempts', async () => {
  const database = await openMemoryDatabase();
  const { db } = database;
  const server = await startServer(database);
  const { userId, deviceId } = await registerDevice(server);
  const at = server.now();
  await db.execute(
    sql`alter table user_course_interaction add constraint for_the_test check (interaction_type <> 'video')`,
  );
  const time = formatHybridTime({ ms: at.getTime(), counter: 0, deviceId });
  const common = { op: 'upsert' as const, table: 'user_course_interaction', at: time, base: 0 };
  const details = { sessionId: null, practiceId: null, videoId: null, courseSectionId: null };
  const fields = { userId, courseId: null, timestamp: at.toISOString(), details };
  const changes = Array.from({ length: 500 }, (_, index): Mutation => {
    const interactionType = index === 400 ? 'video' : 'practice';
    const ids = { id: randomUUID(), rowId: randomUUID(), deviceSeq: index + 1 };
    return { ...common, ...ids, fields: { ...fields, interactionType } };
  });
  let attempts = 0;
  const counting: Database = Object.create(db, {
    transaction: {
      value: (...given: Parameters<Database['transaction']>) => {
        attempts += 1;
        return db.transaction(...given);
      },
    },
  });
  const storage = { usedBytes: 0, quotaBytes: 1_000_000_000 };
  const order = orderChanges([], { protocol: 3, deviceNow: null, offsetMs: 0, last: null, hasSentChanges: false });
  const write: WriteContext = {
    userId,
    deviceId,
    protocol: 3,
    at,
    version: 2,
    clockOffsetMs: 0,
    order,
    storage,
  };
  const onBug = (): void => undefined;
  const failing = db.transaction((tx) =>
    applyMutations(inOwnTransaction(tx), changes, write, { onBug, hasSavepoints: false, progress: null }),
  );
  await expect(failing).rejects.toBeInstanceOf(BatchFailed);
  const { outcomes } = await applyMutations(inOwnTransaction(counting), changes, write, {
    onBug,
    hasSavepoints: true,
    progress: null,
  });
  expect(outcomes.flatMap(({ status }, index) => (status === 'rejected' ? [index] : []))).toEqual([400]);
  expect(attempts).toBeLessThan(25);
  await server.close();
});
