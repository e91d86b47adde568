/** Compares a whole passage with its sentences assessed one by one: no word may be lost and scores must agree. */
import { createScorer } from '@parley/speech';
import { pearson } from '@parley/speech/evaluate';
import type { Recording } from './read-recordings.ts';
import { concatenate, roomTone, SAMPLES_PER_MS, trimSilence } from './edit-samples.ts';

const PASSAGES = 4;
const PASSAGE_MS = 150_000;

export interface PassageFigures {
  passages: number;
  minutes: number;
  words: number;
  /** Share of the words that the passage returns, in order. */
  wordsKept: number;
  /** Pearson correlation of the word scores in the passage and alone. */
  wordPcc: number;
  /** Median difference between the score of the passage and the mean of its sentences, in points. */
  pronDifference: number;
  /** Seconds of work per second of speech. */
  realTimeFactor: number;
}

/** `recordings` must be grouped by speaker. */
export async function measurePassages(recordings: readonly Recording[]): Promise<PassageFigures> {
  const scorer = await createScorer();
  const scoresInPassage: number[] = [];
  const scoresAlone: number[] = [];
  const scoreDifferences: number[] = [];
  const totals = { ms: 0, words: 0, kept: 0, workMs: 0 };
  const passages = toPassages(recordings).slice(0, PASSAGES);
  for (const parts of passages) {
    const pcm = concatenate(parts.flatMap((part) => [trimSilence(part.pcm), roomTone(part.pcm, 500)]));
    const text = parts.map((part) => `${part.text.toLowerCase()}.`).join(' ');
    const startedAt = performance.now();
    const whole = await scorer.assess({ pcm, text });
    totals.workMs += performance.now() - startedAt;
    totals.ms += pcm.length / SAMPLES_PER_MS;
    const words = whole.words.filter(({ error }) => error !== 'Insertion');
    const asked = text.replaceAll('.', '').split(' ');
    totals.words += asked.length;
    totals.kept += asked.filter((word, index) => words[index]?.word === word).length;
    const prons: number[] = [];
    let at = 0;
    for (const part of parts) {
      const single = await scorer.assess({ pcm: part.pcm, text: part.text });
      if (single.pron !== null) prons.push(single.pron);
      for (const word of single.words.filter(({ error }) => error !== 'Insertion')) {
        const passageWord = words[at];
        at += 1;
        if (typeof word.accuracy !== 'number' || typeof passageWord?.accuracy !== 'number') continue;
        scoresAlone.push(word.accuracy);
        scoresInPassage.push(passageWord.accuracy);
      }
    }
    const mean = prons.reduce((sum, pron) => sum + pron, 0) / Math.max(1, prons.length);
    scoreDifferences.push(Math.abs((whole.pron ?? NaN) - mean));
  }
  await scorer.close();
  return {
    passages: passages.length,
    minutes: totals.ms / 60_000,
    words: totals.words,
    wordsKept: totals.kept / Math.max(1, totals.words),
    wordPcc: pearson(scoresInPassage, scoresAlone),
    pronDifference: scoreDifferences.toSorted((a, b) => a - b)[Math.floor(scoreDifferences.length / 2)] ?? NaN,
    realTimeFactor: totals.workMs / Math.max(1, totals.ms),
  };
}

function toPassages(recordings: readonly Recording[]): Recording[][] {
  const passages: Recording[][] = [];
  let parts: Recording[] = [];
  let ms = 0;
  for (const recording of recordings) {
    if (parts.length > 0 && parts[0]?.speaker !== recording.speaker) {
      passages.push(parts);
      parts = [];
      ms = 0;
    }
    if (ms > PASSAGE_MS) continue;
    parts.push(recording);
    ms += recording.pcm.length / SAMPLES_PER_MS;
  }
  return [...passages, parts].filter((each) => each.length > 5);
}
