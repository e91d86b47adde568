/** Runs a modified app that tries to use live minutes without paying. */
import { randomUUID } from 'node:crypto';
import { localDayFormatter } from '@parley/domain';
import { describe, expect, it } from 'vitest';
import type { DatabaseConnection } from '../db/client.ts';
import { aiUsage } from '../db/metering-tables.ts';
import { ONE_SECOND_PCM, coachingFixture } from './test-kit/coaching-fixture.ts';

const SAID = 'I have a problem with my file.';

export function minutesAttacksSuite(open: () => Promise<DatabaseConnection>): void {
  const { now, always, lease, transcribe } = coachingFixture(open);

  const release = (sessionId: string, spokenS?: number) =>
    now().server.post('/v1/coach/release', { sessionId, spokenS }, now().laptop.token);
  const leftS = async (): Promise<unknown> => {
    const { body } = await lease(randomUUID(), undefined, true);
    return body['remainingS'];
  };
  const sound = (seconds: number): Buffer => Buffer.concat(Array.from({ length: seconds }, () => ONE_SECOND_PCM));

  describe('live minutes', () => {
    it('that were served stay counted, whatever speech time a device reports', async () => {
      const sessionId = randomUUID();
      await lease(sessionId);
      always({ does: 'answer', text: SAID });
      expect(await transcribe(sessionId, sound(20))).toMatchObject({ status: 200 });
      now().server.advanceClock(50_000);
      expect(await release(sessionId, 0)).toMatchObject({ status: 200 });
      expect(await leftS()).toBe(550);
    });

    it('are counted by the audio sent, even when little time passed', async () => {
      await now()
        .server.database.db.insert(aiUsage)
        .values({
          id: randomUUID(),
          userId: now().laptop.userId,
          use: 'live',
          style: 'turn_based',
          seconds: 560,
          localDay: localDayFormatter('Europe/Berlin')(now().server.now()),
          at: now().server.now(),
        });
      const sessionId = randomUUID();
      await lease(sessionId);
      always({ does: 'answer', text: SAID });
      const statuses: number[] = [];
      for (let turn = 0; turn < 3; turn += 1) statuses.push((await transcribe(sessionId, sound(30))).status);
      expect(statuses).toEqual([200, 200, 402]);
      await release(sessionId, 0);
      expect(await lease(randomUUID())).toMatchObject({ status: 402, body: { code: 'quota.out' } });
    });

    it('are counted when the device releases the lease during transcription', async () => {
      const sessionId = randomUUID();
      await lease(sessionId);
      // Late enough for the release to arrive first.
      always({ does: 'answer_late', ms: 600, text: SAID });
      const transcribing = transcribe(sessionId, sound(100));
      await expect.poll(() => now().fake.calls.at(-1)?.state, { interval: 5 }).toBe('open');
      await release(sessionId, 0);
      expect(await transcribing).toMatchObject({ status: 200 });
      expect(await leftS()).toBe(500);
    });

    it('are refunded when our service failed or the learner said nothing', async () => {
      const sessionId = randomUUID();
      await lease(sessionId);
      always({ does: 'reject', status: 500 });
      expect(await transcribe(sessionId)).toMatchObject({ status: 503 });
      now().server.advanceClock(50_000);
      await release(sessionId);
      expect(await leftS()).toBe(600);
    });

    it('are counted for audio without words beyond five minutes a day', async () => {
      const sessionId = randomUUID();
      await lease(sessionId);
      always({ does: 'answer', text: '' });
      for (let turn = 0; turn < 5; turn += 1)
        expect(await transcribe(sessionId, sound(60))).toMatchObject({ status: 200 });
      await release(sessionId);
      expect(await leftS()).toBe(600);
      const next = randomUUID();
      await lease(next, undefined, true);
      expect(await transcribe(next, sound(60))).toMatchObject({ status: 200 });
      await release(next);
      expect(await leftS()).toBe(540);
    });

    it('can still be released by an older app that reports its speech time', async () => {
      const sessionId = randomUUID();
      await lease(sessionId);
      expect(await release(sessionId, 40)).toEqual(await release(sessionId));
    });
  });
}
