/** Runs the periodic jobs and the mail schedule while the server listens. */
import { setTimeout as pause } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import type { DatabaseConnection } from '../../db/client.ts';
import { isDatabaseInTrouble } from '../../db/database-failure.ts';
import { type PeriodicJob, type RunningJobs, runJobs } from '../../jobs/index.ts';
import { createMailSchedule, type Mail } from '../../mail/index.ts';

/** The database may be briefly unavailable when a node starts. */
const RETRY_MS = 5_000;
/** While the database is away, each poll of each queue fails. One line a minute says so. */
const TROUBLE_LOG_INTERVAL_MS = 60_000;

export interface ScheduleParts {
  jobs: DatabaseConnection['jobs'];
  periodic: readonly PeriodicJob[];
  /** When null, no mail is sent. */
  mail: Mail | null;
}

export function scheduleJobs(app: FastifyInstance, { jobs, periodic, mail }: ScheduleParts): void {
  const onError = (event: string) => (error: unknown) => app.log.error({ err: error }, event);
  let troubleLoggedAt = Number.NEGATIVE_INFINITY;
  const onQueueError = (error: unknown): void => {
    if (!isDatabaseInTrouble(error)) return onError('job_queue_failed')(error);
    if (performance.now() - troubleLoggedAt < TROUBLE_LOG_INTERVAL_MS) return;
    troubleLoggedAt = performance.now();
    app.log.warn({ err: error }, 'database_unavailable');
  };
  const mailSchedule = mail === null ? null : createMailSchedule({ mail, onError: onError('mail_schedule_failed') });
  const all = [...periodic, ...(mailSchedule?.periodic ?? [])];
  if (all.length === 0) return;
  let running: Promise<RunningJobs | null> = Promise.resolve(null);
  const closing = new AbortController();
  const startJobs = async (): Promise<RunningJobs | null> => {
    while (!closing.signal.aborted) {
      try {
        return await runJobs({ periodic: all, jobs, onError: onQueueError });
      } catch (error) {
        onError('job_queue_start_failed')(error);
      }
      await pause(RETRY_MS, undefined, { signal: closing.signal }).catch(() => undefined);
    }
    return null;
  };
  app.addHook('onListen', async () => {
    mailSchedule?.start();
    // The server listens at once and does not wait until the job queue has created its tables.
    running = startJobs();
  });
  app.addHook('preClose', async () => {
    closing.abort();
    await Promise.all([mailSchedule?.stop(), running.then((jobs) => jobs?.stop())]);
  });
}
