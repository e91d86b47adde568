/** Runs random histories against one server, on PGlite or PostgreSQL. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { aClock, removeDataFolders } from '../../../desktop/src/host/test-kit/open-host.ts';
import { startServer } from '../../../desktop/src/host/test-kit/test-server.ts';
import { openDatabase } from '../../../sync-server/src/index.ts';
import { startPostgres } from '../processes/start-postgres.ts';
import { runHistory } from './random-history.ts';

export interface HistoriesToRun {
  seed: number;
  runs: number;
  isPostgres: boolean;
  /** Null draws two or three from the seed. */
  devices: number | null;
  /** Called after each history. */
  onRun?: (seed: number, wrong: readonly string[]) => void;
}

const START = '2026-01-05T08:00:00.000Z';
const STEPS = 40;

export async function runHistories(options: HistoriesToRun): Promise<{ passed: number; failed: number }> {
  const postgres = options.isPostgres ? await openPostgres() : null;
  const clock = aClock(START);
  const server = await startServer({
    now: clock.now,
    ...(postgres === null ? {} : { database: postgres.database }),
  });
  const counts = { passed: 0, failed: 0 };
  try {
    for (let run = 0; run < options.runs; run += 1) {
      const seed = options.seed + run;
      const wrong = await runHistory(
        { seed, deviceCount: options.devices, steps: STEPS },
        {
          url: server.url,
          clock,
          isOffline: (offline) => {
            server.fail = offline ? 'sync.offline' : null;
          },
          pushes: () => ({ arrived: server.pushed.length, answered: server.answeredPushes }),
        },
      ).catch((error: unknown) => [String(error)]);
      counts[wrong.length === 0 ? 'passed' : 'failed'] += 1;
      options.onRun?.(seed, wrong);
      removeDataFolders();
    }
  } finally {
    await server.close();
    await postgres?.stop();
  }
  return counts;
}

async function openPostgres() {
  const dir = await mkdtemp(join(tmpdir(), 'parley-histories-'));
  // A host that ran in this process has restricted its umask, but PostgreSQL's own user must be able to read the files
  // that set the database up.
  const mask = process.umask(0o022);
  // Durability is not part of this test, so fsync is off.
  const postgres = await startPostgres(dir, ['fsync=off', 'synchronous_commit=off']).finally(() => process.umask(mask));
  return {
    database: await openDatabase({ type: 'postgres', url: postgres.url }),
    stop: async () => {
      await postgres.stop();
      await rm(dir, { recursive: true, force: true });
    },
  };
}
