/** Sends mails soon after they were written down, and looks every ten minutes whose reminder is due; one node at a time, by pg-boss. */
import type { DatabaseConnection } from '../db/client.ts';
import type { Mail } from './mail.ts';

const SEND_JOB = 'mail.send';
const REMIND_JOB = 'mail.remind';
const EVERY_MINUTE = '* * * * *';
const EVERY_TEN_MINUTES = '*/10 * * * *';
/** After a mail was written down, whose transaction may take a moment to end. What these miss goes with the next minute. */
const SOON_MS = [150, 1_000, 5_000];
const LOOK_FOR_JOBS_S = 5;
/** A job that did not run within the hour has a successor; nothing is kept of it. */
const JOB_LIFE_S = 3_600;
const STOP_WITHIN_MS = 10_000;
/** Of pg-boss alone: its statements come in bundles, which must not leave a connection of ours in the middle of one. */
const CONNECTIONS = 2;

export interface MailSchedule {
  /** What is on its way is waited for. */
  stop: () => Promise<void>;
}

export interface ScheduleParts {
  mail: Pick<Mail, 'sendDue' | 'remind' | 'onEnqueued'>;
  jobs: DatabaseConnection['jobs'];
  onError: (error: unknown) => void;
}

export async function startMailSchedule({ mail, jobs, onError }: ScheduleParts): Promise<MailSchedule> {
  const stopping = new AbortController();
  const { signal } = stopping;
  const boss = await openBoss(jobs);
  boss.on('error', onError);
  const send = oneAtATime(async () => void (await mail.sendDue(signal)), onError);
  const remind = oneAtATime(async () => {
    if ((await mail.remind(signal)) > 0) await send();
  }, onError);

  await boss.start();
  for (const [name, cron, work] of [
    [SEND_JOB, EVERY_MINUTE, send],
    [REMIND_JOB, EVERY_TEN_MINUTES, remind],
  ] as const) {
    await boss.createQueue(name, {
      policy: 'stately',
      retryLimit: 0,
      retentionSeconds: JOB_LIFE_S,
      deleteAfterSeconds: JOB_LIFE_S,
    });
    await boss.schedule(name, cron);
    await boss.work(name, { pollingIntervalSeconds: LOOK_FOR_JOBS_S }, work);
  }

  const timerByMs = new Map<number, NodeJS.Timeout>();
  mail.onEnqueued(() => {
    for (const ms of signal.aborted ? [] : SOON_MS) {
      if (timerByMs.has(ms)) continue;
      const timer = setTimeout(() => {
        timerByMs.delete(ms);
        void send();
      }, ms);
      timerByMs.set(ms, timer);
    }
  });
  // What a server that was stopped has left.
  void send();

  return {
    stop: async () => {
      stopping.abort();
      for (const timer of timerByMs.values()) clearTimeout(timer);
      await boss.stop({ graceful: true, timeout: STOP_WITHIN_MS });
      await Promise.all([send(), remind()]);
    },
  };
}

async function openBoss(jobs: DatabaseConnection['jobs']) {
  const { fromPglite, PgBoss } = await import('pg-boss');
  return jobs.type === 'postgres'
    ? new PgBoss({ connectionString: jobs.url, max: CONNECTIONS, application_name: 'parley jobs' })
    : new PgBoss({ db: fromPglite(jobs.pglite), backend: 'pglite' });
}

/** Asked again while it runs, it runs once more after that; whoever asked waits for that run. */
function oneAtATime(work: () => Promise<void>, onError: (error: unknown) => void): () => Promise<void> {
  let running: Promise<void> = Promise.resolve();
  let next: Promise<void> | null = null;
  return () => {
    next ??= running.then(async () => {
      next = null;
      running = work().catch(onError);
      await running;
    });
    return next;
  };
}
