/** One invalid change in a push made the server apply all the others again, one by one. */
import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import {
  type AttackAccount,
  type CatalogueIds,
  type Change,
  findPractice,
  registerAccount,
} from '../anonymous-account.ts';
import type { Attack } from '../attack.ts';
import { SERVER_KINDS } from '../target.ts';

const CHANGES = 500;
/** Near the end, so that most work is thrown away. */
const INVALID_INDEX = 480;
const ROUNDS = 5;
const MAX_TIMES = 2;
const PushResponse = z.object({ outcomes: z.array(z.object({ status: z.string() })) });

export const invalidChangeInPush: Attack = {
  name: `${CHANGES} changes with one unknown reference take many times as long as ${CHANGES} valid changes`,
  before: '14 times as long',
  target: `<= ${MAX_TIMES} times`,
  on: SERVER_KINDS,
  run: async (target) => {
    const [good, mixed] = [await registerAccount(target), await registerAccount(target)];
    const ids = await findPractice(target, good);
    const timesMs: { good: number[]; mixed: number[] } = { good: [], mixed: [] };
    for (let round = 0; round < ROUNDS; round += 1) {
      timesMs.good.push(await timePush(good, ids, false));
      timesMs.mixed.push(await timePush(mixed, ids, true));
    }
    // The fastest push of each kind is the least disturbed by other load.
    const [goodMs, mixedMs] = [Math.min(...timesMs.good), Math.min(...timesMs.mixed)];
    const times = mixedMs / goodMs;
    return {
      after: `${times.toFixed(2)} times (${mixedMs.toFixed(0)} and ${goodMs.toFixed(0)} ms)`,
      holds: times <= MAX_TIMES,
    };
  },
};

async function timePush(account: AttackAccount, ids: CatalogueIds, hasBadChange: boolean): Promise<number> {
  const changes = Array.from({ length: CHANGES }, (_, index): Change => {
    const isBad = hasBadChange && index === INVALID_INDEX;
    return {
      table: 'practice_history',
      rowId: randomUUID(),
      fields: {
        practiceId: isBad ? randomUUID() : ids.practiceId,
        agentId: ids.agentId,
        userId: account.userId,
        completedObjectives: [],
        communicationStyle: 'audio',
        status: 'in_progress',
        difficulty: 'easy',
        summary: null,
      },
    };
  });
  const startedMs = performance.now();
  const { status, body } = await account.push(changes);
  const ms = performance.now() - startedMs;
  const outcomes = status === 200 ? PushResponse.parse(body).outcomes : [];
  const applied = outcomes.filter((outcome) => outcome.status === 'applied').length;
  if (applied !== CHANGES - Number(hasBadChange)) throw new Error(`${applied} changes were applied (${status})`);
  return ms;
}
