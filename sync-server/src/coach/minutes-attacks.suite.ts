/** An edited app that wants live minutes for nothing. */
import { randomUUID } from 'node:crypto';
import { localDays } from '@parley/domain';
import { describe, expect, it } from 'vitest';
import type { DatabaseConnection } from '../db/client.ts';
import { aiUsage } from '../db/tables.ts';
import { A_SECOND, coachingScene } from './test-kit/coaching-scene.ts';

const SAID = 'I have a problem with my file.';

export function minutesAttacksSuite(open: () => Promise<DatabaseConnection>): void {
  const { now, always, lease, transcribe } = coachingScene(open);

  const release = (sessionId: string, spokenS?: number) =>
    now().server.post('/v1/coach/release', { sessionId, spokenS }, now().laptop.token);
  const leftS = async (): Promise<unknown> => {
    const { body } = await lease(randomUUID(), undefined, true);
    return body['remainingS'];
  };
  const sound = (seconds: number): Buffer => Buffer.concat(Array.from({ length: seconds }, () => A_SECOND));

  describe('minutes', () => {
    it('that were served stay counted, whatever a device says that was spoken', async () => {
      const sessionId = randomUUID();
      await lease(sessionId);
      always({ does: 'answer', text: SAID });
      expect(await transcribe(sessionId, sound(20))).toMatchObject({ status: 200 });
      now().server.pass(50_000);
      expect(await release(sessionId, 0)).toMatchObject({ status: 200 });
      expect(await leftS()).toBe(550);
    });

    it('are counted for the sound that was sent, however little time went by', async () => {
      await now()
        .server.database.db.insert(aiUsage)
        .values({
          id: randomUUID(),
          userId: now().laptop.userId,
          use: 'live',
          style: 'turn_based',
          seconds: 560,
          localDay: localDays('Europe/Berlin')(now().server.now()),
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

    it('are counted where the device lets go while its turn is being transcribed', async () => {
      const sessionId = randomUUID();
      await lease(sessionId);
      always({ does: 'answer_late', ms: 200, text: SAID });
      const transcribing = transcribe(sessionId, sound(100));
      await expect.poll(() => now().twin.calls.at(-1)?.state, { interval: 5 }).toBe('open');
      await release(sessionId, 0);
      expect(await transcribing).toMatchObject({ status: 200 });
      expect(await leftS()).toBe(500);
    });

    it('are given back by the server itself where its own service failed, or nothing was said', async () => {
      const sessionId = randomUUID();
      await lease(sessionId);
      always({ does: 'reject', status: 500 });
      expect(await transcribe(sessionId)).toMatchObject({ status: 503 });
      now().server.pass(50_000);
      await release(sessionId);
      expect(await leftS()).toBe(600);
    });

    it('may still be released by an older app, which says how long was spoken', async () => {
      const sessionId = randomUUID();
      await lease(sessionId);
      expect(await release(sessionId, 40)).toEqual(await release(sessionId));
    });
  });
}
