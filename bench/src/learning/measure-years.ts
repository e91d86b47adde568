/** Measures how long Progress and the next review card take with years of practice: the host's answer, as the window receives it. */
import { aClock, aDataFolder, openHost, removeDataFolders } from '../../../desktop/src/host/test-kit/open-host.ts';
import { seedHistory } from './seed-history.ts';

const RUNS = 10;

export interface YearsMeasured {
  /** The first time after a start, which is what a learner waits for, and the median of ten. */
  progressFirstMs: number;
  progressMs: number;
  /** The next card: storing a grade, and reading what is due. Median of ten. */
  nextCardMs: number;
}

export async function measureYears(size: { sessions: number; attempts: number }): Promise<YearsMeasured> {
  const dataDir = aDataFolder();
  const clock = aClock('2026-11-18T10:00:00.000Z');
  await (await openHost({ dataDir, clock })).host.close();
  seedHistory(dataDir, { ...size, until: clock.now() });
  await (await openHost({ dataDir, clock })).host.close();
  const { host, ask } = await openHost({ dataDir, clock });
  try {
    const overview = (): Promise<unknown> => ask.progress.overview({ range: 'all' });
    const progressFirstMs = await timeMs(overview);
    const progressMs = await medianMs(overview);
    const nextCardMs = await medianMs(async () => {
      const [card] = (await ask.review.due()).cards;
      if (card === undefined) throw new Error('no word is due');
      await ask.review.grade({ word: card.word, grade: 'again', accuracy: 50 });
    });
    return { progressFirstMs, progressMs, nextCardMs };
  } finally {
    await host.close();
    removeDataFolders();
  }
}

async function timeMs(work: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now();
  await work();
  return performance.now() - startedAt;
}

async function medianMs(work: () => Promise<unknown>): Promise<number> {
  const times: number[] = [];
  for (let run = 0; run < RUNS; run += 1) times.push(await timeMs(work));
  return times.toSorted((a, b) => a - b)[Math.floor(RUNS / 2)] ?? Number.NaN;
}
