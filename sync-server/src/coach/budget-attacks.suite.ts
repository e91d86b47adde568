/** An edited app that spends everyone's budget: with what takes no live minutes, at once and again and again. */
import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { gte, sql } from 'drizzle-orm';
import type { DatabaseConnection } from '../db/client.ts';
import { aiUsage } from '../db/tables.ts';
import { registerDevice, type TestDevice } from '../test-kit/server.ts';
import { coachingScene, DAILY_LIMIT_USD } from './test-kit/coaching-scene.ts';

const MICROS = 1_000_000;

export function budgetAttacksSuite(open: () => Promise<DatabaseConnection>): void {
  const { now, always, held, talked, coachSaid } = coachingScene(open);
  const voice = { gender: 'female', locale: 'en-GB', rate: 1, pitch: 1 };
  const LINE = 'A line that goes on and on. '.repeat(140);

  /** What each of these calls sends. */
  const CALLS: Readonly<Record<string, () => object>> = {
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
      payload: CALLS[path]?.() ?? {},
    });
  const spentMicros = async (): Promise<number> => {
    const today = new Date(`${now().server.now().toISOString().slice(0, 10)}T00:00:00Z`);
    const [sum] = await now()
      .server.database.db.select({ micros: sql<string>`coalesce(sum(${aiUsage.costMicros}), 0)` })
      .from(aiUsage)
      .where(gte(aiUsage.at, today));
    return Number(sum?.micros ?? 0);
  };

  describe('the budget', () => {
    it('of all is not overspent by one learner with forty calls at once', async () => {
      const stranger = await registerDevice(now().server);
      always({ does: 'answer' });
      // Spoken, each of these costs nearly six cents, of twenty.
      const answers = await Promise.all(Array.from({ length: 40 }, () => ask('/v1/speech/speak', now().laptop)));
      // Refused for want of money, or since one account may send only so many requests at once.
      expect(answers.filter(({ statusCode }) => statusCode === 503 || statusCode === 429).length).toBeGreaterThan(30);
      expect(await spentMicros()).toBeLessThanOrEqual((DAILY_LIMIT_USD * MICROS) / 2);
      expect((await ask('/v1/coach/translate', stranger)).statusCode).not.toBe(503);
    });

    it.each(Object.keys(CALLS))(
      'of one learner is checked by %s, and the refusal says when it resets',
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
        const before = now().twin.calls.length;
        const { payload } = await ask(path, device);
        const refusal = /"resetsAt":"([^"]+)"/.exec(payload)?.[1];
        expect(payload).toContain('coach.spent');
        expect(Date.parse(refusal ?? '')).toBeGreaterThan(now().server.now().getTime());
        expect(now().twin.calls).toHaveLength(before);
      },
    );
  });
}
