import { sql } from 'drizzle-orm';
import { describe, expect, it, vi } from 'vitest';
import type { DatabaseConnection } from '../../db/client.ts';
import { runJobs } from '../../jobs/index.ts';
import { createMailSchedule } from '../index.ts';
import { DAY_MS, setUpMailFixture } from '../../../test-kit/mail/mail-fixture.ts';

export function mailScheduleSuite(open: () => Promise<DatabaseConnection>): void {
  const scene = setUpMailFixture(open);
  const start = async (mail = scene.mail) => {
    const errors: unknown[] = [];
    const onError = (error: unknown) => void errors.push(error);
    const { periodic, start: startSending, stop } = createMailSchedule({ mail, onError });
    const running = await runJobs({ periodic, jobs: scene.database.jobs, onError });
    startSending();
    const schedule = {
      stop: async () => {
        await stop();
        await running.stop();
      },
    };
    return { schedule, errors };
  };
  const welcome = async () => {
    const learner = await scene.createLearner();
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
    it('sends old and new mails within seconds and nothing after it stopped', async () => {
      await welcome();
      const { schedule, errors } = await start();
      await vi.waitFor(() => expect(scene.scriptedTransport.sent).toHaveLength(1), 10_000);
      await welcome();
      await vi.waitFor(() => expect(scene.scriptedTransport.sent).toHaveLength(2), 10_000);
      await schedule.stop();
      await welcome();
      await scene.mail.sendDue({ signal: AbortSignal.abort() });
      expect(scene.scriptedTransport.sent).toHaveLength(2);
      expect(errors).toEqual([]);
    });

    it('sends reminders left by a server of the previous release, in the middle of an update', async () => {
      await welcome();
      await scene.database.db.execute(sql`update mails set state = 'waiting'`);
      const { schedule } = await start();
      await vi.waitFor(() => expect(scene.scriptedTransport.sent).toHaveLength(1), 10_000);
      await schedule.stop();
    });

    it('waits for a mail that is being sent when it stops', async () => {
      let release: () => void = () => undefined;
      const isTaken = new Promise<void>((taken) => {
        scene.scriptedTransport.answer = () => {
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
      expect(scene.scriptedTransport.sent).toHaveLength(1);
    });

    it('leaves a mail to the next start if the mail server is silent for too long', async () => {
      let report: () => void = () => undefined;
      const isTaken = new Promise<void>((resolve) => (report = resolve));
      await welcome();
      const mail = scene.anotherServer({
        transport: {
          name: 'silent',
          send: (_mail, giveUp) =>
            new Promise((resolve) => {
              giveUp?.addEventListener('abort', () => resolve({ outcome: 'deferred', trouble: 'given up' }));
              report();
            }),
        },
      });
      const giveUp = new AbortController();
      const sending = mail.sendDue({ signal: new AbortController().signal, giveUp: giveUp.signal });
      await isTaken;
      giveUp.abort();
      expect(await sending).toMatchObject({ postponed: 1 });
      expect(scene.scriptedTransport.sent).toHaveLength(0);
      scene.advanceClock(DAY_MS);
      await scene.mail.sendDue();
      expect(scene.scriptedTransport.sent).toHaveLength(1);
    });

    it('runs the reminder job on one of two servers', { tags: ['slow'] }, async () => {
      await scene.createLearner();
      scene.advanceClock(2 * DAY_MS);
      const both = [await start(), await start(scene.anotherServer())];
      const { rows } = (await scene.database.db.execute(sql`select name, cron from pgboss.schedule order by name`)) as {
        rows: unknown[];
      };
      expect(rows).toEqual([
        { name: 'mail.remind', cron: '*/10 * * * *' },
        { name: 'mail.send', cron: '* * * * *' },
      ]);
      await scene.database.db.execute(sql`insert into pgboss.job (name, policy) values ('mail.remind', 'stately')`);
      await vi.waitFor(() => expect(scene.scriptedTransport.sent).toHaveLength(1), 20_000);
      for (const { schedule } of both) await schedule.stop();
      expect(both.flatMap(({ errors }) => errors)).toEqual([]);
      expect(scene.scriptedTransport.sent).toHaveLength(1);
    });
  });
}
