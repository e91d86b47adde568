/** Runs a modified app that tries to spend the shared budget with calls that take no live minutes. */
import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { gte, sql } from 'drizzle-orm';
import type { DatabaseConnection } from '../db/client.ts';
import { aiUsage } from '../db/metering-tables.ts';
import { registerDevice, type TestDevice } from '../../test-kit/server.ts';
import { coachingFixture, DAILY_LIMIT_USD } from './test-kit/coaching-fixture.ts';

const MICROS = 1_000_000;

export function budgetAttacksSuite(open: () => Promise<DatabaseConnection>): void {
  const { now, always, held, talked, coachSaid } = coachingFixture(open);
  const voice = { gender: 'female', locale: 'en-GB', rate: 1, pitch: 1 };
  const LINE = 'A line that goes on and on. '.repeat(140);

  /** The body of each call, by path. */
  const REQUESTS_BY_PATH: Readonly<Record<string, () => object>> = {
    '/v1/coach/reply': () => held({ turns: talked() }),
    '/v1/coach/hint': () => ({ ...held({ turns: [coachSaid('Hello, what can I do?')] }), level: 3 }),
    '/v1/coach/review': () => held({ turns: talked() }),
    '/v1/coach/translate': () => ({ text: LINE, language: 'German' }),
    '/v1/speech/speak': () => ({ text: LINE, voice }),
  };
  const ask = (path: string, device: TestDevice) =>
    now().server.app.inject({
      method: 'POST',
      url: path,
      headers: { authorization: `Bearer ${device.token}` },
      payload: REQUESTS_BY_PATH[path]?.() ?? {},
    });
  const spentMicros = async (): Promise<number> => {
    const today = new Date(`${now().server.now().toISOString().slice(0, 10)}T00:00:00Z`);
    const [sum] = await now()
      .server.database.db.select({ micros: sql<string>`coalesce(sum(${aiUsage.costMicros}), 0)` })
      .from(aiUsage)
      .where(gte(aiUsage.at, today));
    return Number(sum?.micros ?? 0);
  };

  describe('the daily budget', () => {
    it('of all learners survives forty concurrent calls by one learner', async () => {
      const stranger = await registerDevice(now().server);
      always({ does: 'answer' });
      // Speaking one of these costs nearly six of twenty cents.
      const answers = await Promise.all(Array.from({ length: 40 }, () => ask('/v1/speech/speak', now().laptop)));
      // A call is refused because the budget or the account's rate limit is exhausted.
      expect(answers.filter(({ statusCode }) => statusCode === 503 || statusCode === 429).length).toBeGreaterThan(30);
      expect(await spentMicros()).toBeLessThanOrEqual((DAILY_LIMIT_USD * MICROS) / 2);
      expect((await ask('/v1/coach/translate', stranger)).statusCode).not.toBe(503);
    });

    it.each(Object.keys(REQUESTS_BY_PATH))(
      'of one learner also applies to %s, and the refusal names the reset',
      async (path) => {
        const device = await registerDevice(now().server);
        await now()
          .server.database.db.insert(aiUsage)
          .values({
            id: randomUUID(),
            userId: device.userId,
            use: 'reply',
            style: 'turn_based',
            costMicros: DAILY_LIMIT_USD * MICROS,
            localDay: '2026-11-18',
            at: now().server.now(),
          });
        const before = now().fake.calls.length;
        const { payload } = await ask(path, device);
        const refusal = /"resetsAt":"([^"]+)"/.exec(payload)?.[1];
        expect(payload).toContain('coach.spent');
        expect(Date.parse(refusal ?? '')).toBeGreaterThan(now().server.now().getTime());
        expect(now().fake.calls).toHaveLength(before);
      },
    );
  });
}
