import { expect, it } from 'vitest';
import type { Database } from '../../db/client.ts';
import { createPushGroups, type GroupedPush } from './push-groups.ts';
import type { PushResult } from './push-parts.ts';

const RESULT = { commits: null } as PushResult;

/** The first two pushes keep the slots busy until the end, so that the others share a transaction. */
async function pushTwoTogether(
  failure: Error,
): Promise<{ settled: PromiseSettledResult<PushResult>[]; alone: string[] }> {
  const alone: string[] = [];
  const free = Promise.withResolvers<PushResult>();
  const db = { transaction: () => Promise.reject(failure) } as unknown as Pick<Database, 'transaction'>;
  const groups = createPushGroups({ db, onGroupFailed: () => undefined });
  const push = (name: string, applyAlone: GroupedPush['applyAlone']): Promise<PushResult> =>
    groups.run({ userId: name, deviceId: name, changes: 1, apply: async () => RESULT, applyAlone });
  const busy = ['first', 'second'].map((name) => push(name, () => free.promise));
  const together = ['third', 'fourth'].map((name) =>
    push(name, async () => {
      alone.push(name);
      return RESULT;
    }),
  );
  free.resolve(RESULT);
  await Promise.all(busy);
  return { settled: await Promise.allSettled(together), alone };
}

it('makes each push alone after a failure that stored nothing', async () => {
  const { settled, alone } = await pushTwoTogether(new Error('one of them is bad'));
  expect(settled.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled']);
  expect(alone).toEqual(['third', 'fourth']);
});

it('lets devices repeat a push when the server cannot tell whether it was stored', async () => {
  const lost = Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' });
  const { settled, alone } = await pushTwoTogether(lost);
  expect(settled.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  expect(alone).toEqual([]);
});

it('does not let a learner wait for more changes than a transaction should contain', async () => {
  let transactions = 0;
  const free = Promise.withResolvers<PushResult>();
  const transaction = async (): Promise<never> => {
    transactions += 1;
    throw new Error('this database only counts');
  };
  const groups = createPushGroups({
    db: { transaction },
    onGroupFailed: () => undefined,
  });
  const push = (index: number, changes: number, applyAlone: GroupedPush['applyAlone']): Promise<PushResult> =>
    groups.run({ userId: `${index}`, deviceId: `${index}`, changes, apply: async () => RESULT, applyAlone });
  const busy = [push(1, 1, () => free.promise), push(2, 1, () => free.promise)];
  const small = Array.from({ length: 40 }, (_, index) => push(10 + index, 1, async () => RESULT));
  const spoken = Array.from({ length: 40 }, (_, index) => push(100 + index, 20, async () => RESULT));
  const large = push(200, 500, async () => RESULT);
  free.resolve(RESULT);
  await Promise.all([...busy, ...small, ...spoken, large]);
  // The first transaction takes the 40 small pushes and 11 answers, the others 13, 13 and 3 answers. The large push
  // runs alone.
  expect(transactions).toBe(4);
});
