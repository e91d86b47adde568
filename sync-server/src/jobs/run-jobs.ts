/** Runs periodic jobs on pg-boss, which keeps them in the database, so that each run happens once across all nodes. */
import type { PgBoss } from 'pg-boss';
import type { DatabaseConnection } from '../db/client.ts';

export interface PeriodicJob {
  name: string;
  cron: string;
  /** `exclusive`: no run waits while another is in progress. `stately`: one more run may wait. */
  policy: 'exclusive' | 'stately';
  /** Whether the job also runs when a node starts; nodes that start together share that run. */
  runsAtStart: boolean;
  /** The signal aborts when this node stops. */
  run: (signal: AbortSignal) => Promise<void>;
}

export interface RunningJobs {
  /** Gives running jobs ten seconds to end. */
  stop: () => Promise<void>;
}

export interface JobParts {
  periodic: readonly PeriodicJob[];
  jobs: DatabaseConnection['jobs'];
  onError: (error: unknown) => void;
}

const POLL_INTERVAL_S = 5;
/** A job that did not run within an hour is discarded, because a newer one exists. */
const JOB_LIFETIME_S = 3_600;
/** A run on a node that died is abandoned after this time, so that another node can do the next one. */
const HEARTBEAT_S = 60;
const MAX_RUN_S = 6 * 3_600;
const STOP_WITHIN_MS = 10_000;
/** Connections for pg-boss alone: it batches statements, which must not leave one of our connections inside a transaction. */
const MAX_CONNECTIONS = 2;

export async function runJobs(parts: JobParts): Promise<RunningJobs> {
  const stopping = new AbortController();
  const boss = await openBoss(parts.jobs);
  boss.on('error', (error) => parts.onError(toError(error)));
  try {
    await boss.start();
    await addJobs(boss, parts, stopping.signal);
  } catch (error) {
    await boss.stop({ graceful: false }).catch(() => undefined);
    throw error;
  }
  return {
    stop: async () => {
      stopping.abort();
      await boss.stop({ graceful: true, timeout: STOP_WITHIN_MS });
    },
  };
}

async function addJobs(boss: PgBoss, { periodic, onError }: JobParts, signal: AbortSignal): Promise<void> {
  for (const { name, cron, policy, runsAtStart, run } of periodic) {
    await boss.createQueue(name, {
      policy,
      retryLimit: 0,
      retentionSeconds: JOB_LIFETIME_S,
      deleteAfterSeconds: JOB_LIFETIME_S,
      expireInSeconds: MAX_RUN_S,
      heartbeatSeconds: HEARTBEAT_S,
    });
    await boss.schedule(name, cron);
    if (runsAtStart) await boss.send(name);
    await boss.work(name, { pollingIntervalSeconds: POLL_INTERVAL_S }, () => run(signal).catch(onError));
  }
}

/** Some of pg-boss's errors are copies that are not instances of `Error`, which the log would not describe. */
const toError = (reported: Error): Error =>
  reported instanceof Error ? reported : Object.assign(new Error(), reported);

async function openBoss(jobs: DatabaseConnection['jobs']): Promise<PgBoss> {
  const { fromPglite, PgBoss } = await import('pg-boss');
  return jobs.type === 'postgres'
    ? new PgBoss({ connectionString: jobs.url, max: MAX_CONNECTIONS, application_name: 'parley jobs' })
    : new PgBoss({ db: fromPglite(jobs.pglite), backend: 'pglite' });
}
