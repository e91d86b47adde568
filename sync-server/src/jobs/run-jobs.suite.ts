import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { DatabaseConnection } from '../db/client.ts';
import { startServer } from '../../test-kit/server.ts';
import { readQueueAges } from './queue-ages.ts';
import { type PeriodicJob, runJobs } from './run-jobs.ts';

const WITHIN = { timeout: 60_000 };

export function runJobsSuite(open: () => Promise<DatabaseConnection>): void {
  let database: DatabaseConnection;
  beforeAll(async () => {
    database = await open();
  });
  afterAll(() => database.close());

  const aJob = (run: PeriodicJob['run'], changes: Partial<PeriodicJob> = {}): PeriodicJob => ({
    name: 'test.job',
    cron: '0 0 1 1 *',
    policy: 'exclusive',
    runsAtStart: true,
    run,
    ...changes,
  });
  const start = async (...periodic: PeriodicJob[]) => {
    const errors: unknown[] = [];
    const running = await runJobs({ periodic, jobs: database.jobs, onError: (error) => errors.push(error) });
    return { running, errors };
  };

  describe('a periodic job', () => {
    it('runs once when two nodes start together, and its signal aborts when they stop', async () => {
      const signals: AbortSignal[] = [];
      const job = aJob(async (signal) => {
        signals.push(signal);
        await new Promise((resolve) => signal.addEventListener('abort', resolve));
      });
      const nodes = [await start(job), await start(job)];
      await vi.waitFor(() => expect(signals).toHaveLength(1), WITHIN);
      const { rows } = (await database.db.execute(
        sql`select state from pgboss.job where name = 'test.job' and state in ('created', 'active')`,
      )) as { rows: unknown[] };
      expect(rows).toEqual([{ state: 'active' }]);
      for (const { running } of nodes) await running.stop();
      expect(signals.map(({ aborted }) => aborted)).toEqual([true]);
      expect(nodes.flatMap(({ errors }) => errors)).toEqual([]);
    });

    it('shows how long a due run has been waiting', async () => {
      const { running } = await start(aJob(async () => undefined, { name: 'test.waiting', runsAtStart: false }));
      const ages = async () => (await readQueueAges(database.db)).filter(({ queue }) => queue === 'test.waiting');
      expect(await ages()).toEqual([]);
      await running.stop();
      await database.db.execute(
        sql`insert into pgboss.job (name, start_after, policy) values ('test.waiting', now() - interval '90 seconds', 'exclusive')`,
      );
      const [waiting] = await ages();
      expect(waiting?.seconds).toBeGreaterThan(89);
      expect(waiting?.seconds).toBeLessThan(600);
    });

    it('reports its failure and runs again', async () => {
      const runs = vi.fn(async () => {
        throw new Error('not today');
      });
      const first = await start(aJob(runs, { name: 'test.failing' }));
      await vi.waitFor(() => expect(first.errors).toEqual([new Error('not today')]), WITHIN);
      await first.running.stop();
      const second = await start(aJob(runs, { name: 'test.failing' }));
      await vi.waitFor(() => expect(second.errors).toHaveLength(1), WITHIN);
      await second.running.stop();
    });
  });

  it('a listening server schedules every periodic job and runs them at its start', async () => {
    const server = await startServer(
      { ...database, close: async () => undefined },
      { runsJobs: true, logLevel: 'info' },
    );
    await server.listen();
    await vi.waitFor(() => expect(server.log()).toContain('tombstones_purged'), WITHIN);
    const { rows } = (await database.db.execute(
      sql`select name, cron from pgboss.schedule where name not like 'test.%' order by name`,
    )) as { rows: unknown[] };
    expect(rows).toEqual([
      { name: 'account.clean-up', cron: '7 * * * *' },
      { name: 'billing.reconcile', cron: '17 * * * *' },
      { name: 'billing.refresh-prices', cron: '15 4 * * *' },
      { name: 'content.publish-scheduled', cron: '* * * * *' },
      { name: 'crashes.delete-expired', cron: '37 * * * *' },
      { name: 'media.delete-expired', cron: '47 * * * *' },
      { name: 'practice-reports.delete-expired', cron: '27 3 * * *' },
      { name: 'recordings.clean-up', cron: '*/10 * * * *' },
      { name: 'school.apply-retention', cron: '45 2 * * *' },
      { name: 'sync.migrate-turns', cron: '30 3 * * *' },
      { name: 'sync.purge-tombstones', cron: '0 3 * * *' },
    ]);
    await server.close();
    expect(server.log()).not.toContain('job_queue');
  });
}
