/** Simulates a year of many accounts on PostgreSQL, where two nodes really compete. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openDatabase } from '../../../sync-server/src/index.ts';
import { simulateYear, type YearReport } from '../year/index.ts';
import { startPostgres } from '../processes/start-postgres.ts';

export interface SimulatedAccounts {
  seed: number;
  accounts: number;
  days: number;
}

export async function simulateAccounts(options: SimulatedAccounts): Promise<YearReport> {
  const dir = await mkdtemp(join(tmpdir(), 'parley-year-'));
  // Durability is not part of this test, so fsync is off.
  const postgres = await startPostgres(dir, ['fsync=off', 'synchronous_commit=off']);
  try {
    const database = await openDatabase({ type: 'postgres', url: postgres.url });
    try {
      return await simulateYear({ ...options, database });
    } finally {
      await database.close();
    }
  } finally {
    await postgres.stop();
    await rm(dir, { recursive: true, force: true });
  }
}
