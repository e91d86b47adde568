/** Runs the periodic jobs and the mail schedule while the server listens. */
import type { FastifyInstance } from 'fastify';
import type { DatabaseConnection } from '../../db/client.ts';
import { type PeriodicJob, type RunningJobs, runJobs } from '../../jobs/index.ts';
import { createMailSchedule, type Mail } from '../../mail/index.ts';

export interface ScheduleParts {
  jobs: DatabaseConnection['jobs'];
  periodic: readonly PeriodicJob[];
  /** When null, no mails are sent. */
  mail: Mail | null;
}

export function scheduleJobs(app: FastifyInstance, { jobs, periodic, mail }: ScheduleParts): void {
  const onError = (event: string) => (error: unknown) => app.log.error({ err: error }, event);
  const mailSchedule = mail === null ? null : createMailSchedule({ mail, onError: onError('mail_schedule_failed') });
  const all = [...periodic, ...(mailSchedule?.periodic ?? [])];
  if (all.length === 0) return;
  let running: Promise<RunningJobs | null> = Promise.resolve(null);
  app.addHook('onListen', async () => {
    mailSchedule?.start();
    // The server listens at once and does not wait until the job queue has created its tables.
    running = runJobs({ periodic: all, jobs, onError: onError('job_queue_failed') }).catch((error: unknown) => {
      onError('job_queue_start_failed')(error);
      return null;
    });
  });
  app.addHook('preClose', async () => {
    await mailSchedule?.stop();
    await (await running)?.stop();
  });
}
