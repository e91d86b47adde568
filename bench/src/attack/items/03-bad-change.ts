/** One bad change in a push made the server do all its work again, change by change. */
import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { type AttackAccount, type CatalogueIds, type Change, findPractice, openAccount } from '../account.ts';
import type { Attack } from '../attack.ts';
import { SERVER_KINDS } from '../target.ts';

const CHANGES = 500;
/** Near the end: all the work before it would be thrown away. */
const BAD_AT = 480;
const ROUNDS = 5;
const MAX_TIMES = 2;
const Answered = z.object({ outcomes: z.array(z.object({ status: z.string() })) });

export const badChange: Attack = {
  name: `${CHANGES} changes with one unknown reference take as long as many pushes of ${CHANGES} good ones`,
  before: '14 times as long',
  target: `<= ${MAX_TIMES} times`,
  on: SERVER_KINDS,
  run: async (target) => {
    const [good, mixed] = [await openAccount(target), await openAccount(target)];
    const ids = await findPractice(target, good);
    const took: { good: number[]; mixed: number[] } = { good: [], mixed: [] };
    for (let round = 0; round < ROUNDS; round += 1) {
      took.good.push(await timePush(good, ids, false));
      took.mixed.push(await timePush(mixed, ids, true));
    }
    // The quickest of each, which other work on the machine disturbs least.
    const [goodMs, mixedMs] = [Math.min(...took.good), Math.min(...took.mixed)];
    const times = mixedMs / goodMs;
    return {
      after: `${times.toFixed(2)} times (${mixedMs.toFixed(0)} and ${goodMs.toFixed(0)} ms)`,
      holds: times <= MAX_TIMES,
    };
  },
};

async function timePush(account: AttackAccount, ids: CatalogueIds, hasBadChange: boolean): Promise<number> {
  const changes = Array.from({ length: CHANGES }, (_, index): Change => {
    const isBad = hasBadChange && index === BAD_AT;
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
  const outcomes = status === 200 ? Answered.parse(body).outcomes : [];
  const applied = outcomes.filter((outcome) => outcome.status === 'applied').length;
  if (applied !== CHANGES - Number(hasBadChange)) throw new Error(`${applied} changes were applied (${status})`);
  return ms;
}
