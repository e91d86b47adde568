import { randomUUID } from 'node:crypto';
import type { Mutation } from '@parley/contract';
import { formatHybridTime } from '@parley/domain';
import { expect, it } from 'vitest';
import { openDatabase } from '../db/client.ts';
import { applyMutations } from './apply-mutations.ts';
import type { Write } from './plan.ts';

const WORDS = 'what the learner said in confidence';

it('names the change that a fault of ours keeps from being taken in, and not what is in it', async () => {
  const database = await openDatabase({ type: 'memory' });
  const [userId, deviceId] = [randomUUID(), randomUUID()];
  const at = formatHybridTime({ ms: 0, counter: 0, deviceId });
  const common = { op: 'upsert' as const, at, base: 0, fields: { userId, jobTitle: WORDS } };
  const mutations: Mutation[] = [
    { ...common, id: randomUUID(), deviceSeq: 1, table: 'nonsense', rowId: userId },
    { ...common, id: randomUUID(), deviceSeq: 2, table: 'users', rowId: userId },
  ];
  const broken = {
    getTime: () => {
      throw new Error('a fault of ours');
    },
  } as unknown as Date;
  const storage = { usedBytes: 0, quotaBytes: 1_000_000 };
  const write: Write = { userId, deviceId, protocol: 3, at: broken, version: 2, clockOffsetMs: 0, storage };
  const faults: string[] = [];
  const onFault = ({ table }: Mutation, error: unknown) => void faults.push(`${table}: ${String(error)}`);
  await expect(applyMutations(database.db, mutations, write, { onFault })).rejects.toThrow('a fault of ours');
  expect(faults).toEqual(['users: Error: a fault of ours']);
  expect(faults.join('')).not.toContain(WORDS);
  await database.close();
});
