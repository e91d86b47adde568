/**
 * Measures how long Progress, the next review card and an answer take with years of practice: the time until the window
 * has the host's response.
 */
import {
  aClock,
  aDataFolder,
  anAssessment,
  aScriptedScorer,
  type OpenHost,
  openHost,
  removeDataFolders,
  voiceLikePcm,
} from '../../../desktop/src/host/test-kit/open-host.ts';
import { commonSentence, seedHistory } from './seed-history.ts';

const RUNS = 10;

export interface YearsMeasured {
  /** The time of the first call after a start, for which a learner waits, and the median of ten calls. */
  progressFirstMs: number;
  progressMs: number;
  /** The next card: storing a grade, and reading what is due. Median of ten. */
  nextCardMs: number;
  /** Storing an answer of the ten most common words, with a scorer that takes no time. Median of ten. */
  answerMs: number;
}

export async function measureYears(size: { sessions: number; attempts: number }): Promise<YearsMeasured> {
  const dataDir = aDataFolder();
  const clock = aClock('2026-11-18T10:00:00.000Z');
  const scorer = aScriptedScorer({ assess: (text) => anAssessment(text, () => 90) });
  await (await openHost({ dataDir, clock })).host.close();
  seedHistory(dataDir, { ...size, until: clock.now() });
  await (await openHost({ dataDir, clock })).host.close();
  const opened = await openHost({ dataDir, clock, scorer });
  const { host, ask } = opened;
  try {
    const overview = (): Promise<unknown> => ask.progress.overview({ range: 'all' });
    const progressFirstMs = await timeMs(overview);
    const progressMs = await medianMs(overview);
    const nextCardMs = await medianMs(async () => {
      const [card] = (await ask.review.due()).cards;
      if (card === undefined) throw new Error('no word is due');
      await ask.review.grade({ word: card.word, grade: 'again', accuracy: 50 });
    });
    return { progressFirstMs, progressMs, nextCardMs, answerMs: await measureAnswer(opened, clock) };
  } finally {
    await host.close();
    removeDataFolders();
  }
}

const WORDS_OF_ANSWER = 10;
const MINUTE_MS = 60_000;

async function measureAnswer({ ask }: OpenHost, clock: ReturnType<typeof aClock>): Promise<number> {
  const times: number[] = [];
  for (let run = 0; run < RUNS; run += 1) {
    clock.pass(MINUTE_MS);
    const text = commonSentence(WORDS_OF_ANSWER);
    const { turnId } = await ask.drill.begin({ text, other: null, source: 'drill' });
    await ask.drill.appendAudio({ turnId, seq: 0, pcm: new Blob([voiceLikePcm(1_000)]) });
    times.push(await timeMs(() => ask.drill.finish({ turnId })));
  }
  return median(times);
}

async function timeMs(work: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now();
  await work();
  return performance.now() - startedAt;
}

async function medianMs(work: () => Promise<unknown>): Promise<number> {
  const times: number[] = [];
  for (let run = 0; run < RUNS; run += 1) times.push(await timeMs(work));
  return median(times);
}

const median = (times: readonly number[]): number =>
  times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)] ?? Number.NaN;
