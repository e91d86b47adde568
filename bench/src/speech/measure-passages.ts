/** A whole passage against its sentences one by one: every word is there, and its score is the same. */
import { createScorer } from '@parley/speech';
import { pearson } from '@parley/speech/evaluate';
import type { Recording } from './recordings.ts';
import { joined, quiet, SAMPLES_A_MS, spokenPart } from './sound.ts';

const PASSAGES = 4;
const PASSAGE_MS = 150_000;

export interface Passages {
  passages: number;
  minutes: number;
  words: number;
  /** Share of the words that the passage gives back, in order. */
  wordsKept: number;
  /** Pearson's correlation of the words' scores in the passage and alone. */
  wordPcc: number;
  /** Points by which the passage's score differs from the mean of its sentences', in the middle. */
  pronMove: number;
  /** Seconds of work a second of speech. */
  realTimeFactor: number;
}

/** `recordings` of one speaker follow each other. */
export async function measurePassages(recordings: readonly Recording[]): Promise<Passages> {
  const scorer = await createScorer();
  const together: number[] = [];
  const alone: number[] = [];
  const moves: number[] = [];
  const sums = { ms: 0, words: 0, kept: 0, workMs: 0 };
  const passages = passagesOf(recordings).slice(0, PASSAGES);
  for (const parts of passages) {
    const pcm = joined(parts.flatMap((part) => [spokenPart(part.pcm), quiet(part.pcm, 500)]));
    const text = parts.map((part) => `${part.text.toLowerCase()}.`).join(' ');
    const startedAt = performance.now();
    const whole = await scorer.assess({ pcm, text });
    sums.workMs += performance.now() - startedAt;
    sums.ms += pcm.length / SAMPLES_A_MS;
    const words = whole.words.filter(({ error }) => error !== 'Insertion');
    const asked = text.replaceAll('.', '').split(' ');
    sums.words += asked.length;
    sums.kept += asked.filter((word, index) => words[index]?.word === word).length;
    const prons: number[] = [];
    let at = 0;
    for (const part of parts) {
      const single = await scorer.assess({ pcm: part.pcm, text: part.text });
      if (single.pron !== null) prons.push(single.pron);
      for (const word of single.words.filter(({ error }) => error !== 'Insertion')) {
        const twin = words[at];
        at += 1;
        if (typeof word.accuracy !== 'number' || typeof twin?.accuracy !== 'number') continue;
        alone.push(word.accuracy);
        together.push(twin.accuracy);
      }
    }
    const mean = prons.reduce((sum, pron) => sum + pron, 0) / Math.max(1, prons.length);
    moves.push(Math.abs((whole.pron ?? NaN) - mean));
  }
  await scorer.close();
  return {
    passages: passages.length,
    minutes: sums.ms / 60_000,
    words: sums.words,
    wordsKept: sums.kept / Math.max(1, sums.words),
    wordPcc: pearson(together, alone),
    pronMove: moves.toSorted((a, b) => a - b)[Math.floor(moves.length / 2)] ?? NaN,
    realTimeFactor: sums.workMs / Math.max(1, sums.ms),
  };
}

function passagesOf(recordings: readonly Recording[]): Recording[][] {
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
    ms += recording.pcm.length / SAMPLES_A_MS;
  }
  return [...passages, parts].filter((each) => each.length > 5);
}
