/** Measures how long History takes to open and to search with years of practice, beside a plain SQL scan. */
import { openHost, removeDataFolders } from '../../../desktop/src/host/test-kit/open-host.ts';
import { seedSessions } from '../../../desktop/src/host/test-kit/seed-sessions.ts';
import { inDatabase } from '../../../desktop/src/host/test-kit/read-database.ts';
import { median } from './quantile.ts';

export interface HistoryTimes {
  /** Time of the first page, median of ten. */
  openMs: number;
  /** Time of a search that matches everything and of one that matches one session; the slower, median of ten. */
  searchMs: number;
  /** The peer: the same search as an SQL scan over the conversations. */
  scanMs: number;
}

const RUNS = 10;

export async function measureHistory(sessions: number): Promise<HistoryTimes> {
  const { host, ask, dataDir } = await openHost();
  try {
    seedSessions(dataDir, sessions);
    const list = (search: string) => () => ask.history.list({ search, offset: 0, limit: 60 });
    const scan = async (): Promise<void> =>
      inDatabase(dataDir, (sqlite) => {
        sqlite
          .prepare(
            "SELECT id FROM practice_history WHERE entire_conversation LIKE '%sorry%' ORDER BY created_at DESC LIMIT 60",
          )
          .all();
        sqlite.prepare("SELECT count(*) FROM practice_history WHERE entire_conversation LIKE '%sorry%'").get();
      });
    return {
      openMs: await medianMs(list('')),
      searchMs: Math.max(await medianMs(list('sorry')), await medianMs(list(`session ${sessions - 1}`))),
      scanMs: await medianMs(scan),
    };
  } finally {
    await host.close();
    removeDataFolders();
  }
}

async function medianMs(work: () => Promise<unknown>): Promise<number> {
  const times: number[] = [];
  for (let run = 0; run < RUNS; run += 1) {
    const startedAt = performance.now();
    await work();
    times.push(performance.now() - startedAt);
  }
  return median(times);
}
