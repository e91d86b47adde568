/** Following a voice as it speaks, and how soon after its last word the score stands. */
import { createWorkerScorer } from '@parley/speech/worker';
import type { Recording } from './recordings.ts';
import { joined, quiet, SAMPLES_A_MS, spokenPart } from './sound.ts';

const UTTERANCE_MS = 10_000;
const CHUNK_MS = 100;
const UTTERANCES = 6;

export interface Streaming {
  /** Milliseconds from the last sample to the score, in the middle and at the worst. */
  medianMs: number;
  worstMs: number;
  /** Milliseconds from the end of a word until it has lit up, in the middle; over words that did. */
  lagMs: number;
  /** Share of words that had lit up when the last sample came. */
  litShare: number;
}

/** Utterances of ten seconds, in real time: it takes a minute and a half. */
export async function measureStreaming(recordings: readonly Recording[]): Promise<Streaming> {
  const scorer = createWorkerScorer();
  const delays: number[] = [];
  const lags: number[] = [];
  const lit: number[] = [];
  const [warmUp, ...utterances] = tenSeconds(recordings).slice(0, UTTERANCES + 1);
  // Every model is loaded and compiled before anyone is timed, as it is after a learner's first utterance.
  if (warmUp !== undefined) await scorer.assess(warmUp);
  for (const { pcm, text } of utterances) {
    const listening = scorer.listen([text]);
    const seen: { said: number; atMs: number }[] = [];
    const startedAt = performance.now();
    for (let at = 0; at < pcm.length; at += CHUNK_MS * SAMPLES_A_MS) {
      const dueAt = startedAt + (at / SAMPLES_A_MS + CHUNK_MS);
      await new Promise((resolve) => setTimeout(resolve, Math.max(0, dueAt - performance.now())));
      const pushed = listening.push(pcm.slice(at, at + CHUNK_MS * SAMPLES_A_MS)).then((following) => {
        if (following !== null) seen.push({ said: following.said, atMs: performance.now() - startedAt });
      });
      // What is still on its way when the scorer is closed is not missed.
      pushed.catch(() => undefined);
    }
    const endedAt = performance.now();
    listening.close();
    const litAtEnd = seen.at(-1)?.said ?? 0;
    const assessment = await scorer.assess({ pcm, text });
    delays.push(performance.now() - endedAt);
    lit.push(litAtEnd / text.length);
    let offset = 0;
    for (const { word, endMs, error } of assessment.words) {
      if (error === 'Omission' || error === 'Insertion') continue;
      offset = text.indexOf(word, offset) + word.length;
      const when = seen.find(({ said }) => said >= offset)?.atMs;
      if (when !== undefined) lags.push(when - endMs);
    }
  }
  await scorer.close();
  const middle = (values: number[]): number => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? NaN;
  return {
    medianMs: middle(delays),
    worstMs: Math.max(...delays),
    lagMs: middle(lags),
    litShare: lit.reduce((sum, share) => sum + share, 0) / Math.max(1, lit.length),
  };
}

function tenSeconds(recordings: readonly Recording[]): { pcm: Float32Array; text: string }[] {
  const utterances: { pcm: Float32Array; text: string }[] = [];
  let parts: Recording[] = [];
  for (const recording of recordings) {
    parts.push(recording);
    const pcm = joined(parts.flatMap((part) => [spokenPart(part.pcm), quiet(part.pcm, 300)]));
    if (pcm.length < UTTERANCE_MS * SAMPLES_A_MS) continue;
    utterances.push({ pcm: pcm.slice(0, UTTERANCE_MS * SAMPLES_A_MS), text: parts.map(({ text }) => text).join(' ') });
    parts = [];
  }
  return utterances;
}
