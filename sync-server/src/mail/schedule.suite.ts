import { sql } from 'drizzle-orm';
import { describe, expect, it, vi } from 'vitest';
import type { DatabaseConnection } from '../db/client.ts';
import { startMailSchedule } from './index.ts';
import { DAY_MS, setUpMailScene } from './test-kit/mail-scene.ts';

export function scheduleSuite(open: () => Promise<DatabaseConnection>): void {
  const scene = setUpMailScene(open);
  const start = async (mail = scene.mail) => {
    const errors: unknown[] = [];
    const schedule = await startMailSchedule({
      mail,
      jobs: scene.database.jobs,
      onError: (error) => errors.push(error),
    });
    return { schedule, errors };
  };
  const welcome = async () => {
    const learner = await scene.aLearner();
    await scene.database.db.transaction((tx) =>
      scene.mail.enqueue(tx, {
        userId: learner.userId,
        to: learner.email,
        kind: 'access_link',
        step: '1',
        data: { firstName: null, link: 'https://parley.example/x' },
      }),
    );
  };

  describe('the schedule', () => {
    it('sends what a stopped server left, and what is written down, within seconds; then it stops, and nothing is sent', async () => {
      await welcome();
      const { schedule, errors } = await start();
      await vi.waitFor(() => expect(scene.post.sent).toHaveLength(1), 10_000);
      await welcome();
      await vi.waitFor(() => expect(scene.post.sent).toHaveLength(2), 10_000);
      await schedule.stop();
      await welcome();
      await scene.mail.sendDue(AbortSignal.abort());
      expect(scene.post.sent).toHaveLength(2);
      expect(errors).toEqual([]);
    });

    it('waits for a mail that is on its way when it stops', async () => {
      let release: () => void = () => undefined;
      const isTaken = new Promise<void>((taken) => {
        scene.post.answer = () => {
          taken();
          return new Promise((resolve) => {
            release = () => resolve({ outcome: 'accepted' });
          });
        };
      });
      await welcome();
      const { schedule } = await start();
      await isTaken;
      let hasStopped = false;
      const stopped = schedule.stop().then(() => {
        hasStopped = true;
      });
      await new Promise((resolve) => {
        setTimeout(resolve, 300);
      });
      expect(hasStopped).toBe(false);
      release();
      await stopped;
      expect(scene.post.sent).toHaveLength(1);
    });

    it('looks for reminders when its job comes, on one of two servers, and sends each once', async () => {
      await scene.aLearner();
      scene.pass(2 * DAY_MS);
      const both = [await start(), await start(scene.anotherServer())];
      const { rows } = (await scene.database.db.execute(sql`select name, cron from pgboss.schedule order by name`)) as {
        rows: unknown[];
      };
      expect(rows).toEqual([
        { name: 'mail.remind', cron: '*/10 * * * *' },
        { name: 'mail.send', cron: '* * * * *' },
      ]);
      await scene.database.db.execute(sql`insert into pgboss.job (name, policy) values ('mail.remind', 'stately')`);
      await vi.waitFor(() => expect(scene.post.sent).toHaveLength(1), 20_000);
      for (const { schedule } of both) await schedule.stop();
      expect(both.flatMap(({ errors }) => errors)).toEqual([]);
      expect(scene.post.sent).toHaveLength(1);
    });
  });
}
