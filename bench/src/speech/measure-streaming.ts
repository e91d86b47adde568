/** Measures how closely streaming recognition follows a speaker, and how soon after the last word the score is ready. */
import { createWorkerScorer } from '@parley/speech/worker';
import type { Recording } from './read-recordings.ts';
import { concatenate, roomTone, SAMPLES_PER_MS, trimSilence } from './edit-samples.ts';
import { median } from '../measure/quantile.ts';

const UTTERANCE_MS = 10_000;
const CHUNK_MS = 100;
const UTTERANCES = 6;

export interface StreamingFigures {
  /** Milliseconds from the last sample to the score: median and maximum. */
  medianMs: number;
  worstMs: number;
  /** Median milliseconds from the end of a word to its highlight, over the highlighted words. */
  highlightDelayMs: number;
  /** Share of the text that was highlighted when the last sample arrived. */
  litShare: number;
}

/** Plays utterances of ten seconds in real time, which takes a minute and a half. */
export async function measureStreaming(recordings: readonly Recording[]): Promise<StreamingFigures> {
  const scorer = createWorkerScorer();
  const scoreDelays: number[] = [];
  const highlightDelays: number[] = [];
  const litShares: number[] = [];
  const [warmUp, ...utterances] = tenSecondUtterances(recordings).slice(0, UTTERANCES + 1);
  // The first assessment loads and compiles the models, so it is not timed.
  if (warmUp !== undefined) await scorer.assess(warmUp);
  for (const { pcm, text } of utterances) {
    const recognition = scorer.startRecognition([text]);
    const progressEvents: { said: number; atMs: number }[] = [];
    const startedAt = performance.now();
    for (let at = 0; at < pcm.length; at += CHUNK_MS * SAMPLES_PER_MS) {
      const dueAt = startedAt + (at / SAMPLES_PER_MS + CHUNK_MS);
      await new Promise((resolve) => setTimeout(resolve, Math.max(0, dueAt - performance.now())));
      const pushed = recognition.push(pcm.slice(at, at + CHUNK_MS * SAMPLES_PER_MS)).then((progress) => {
        if (progress !== null)
          progressEvents.push({ said: progress.spokenCharacters, atMs: performance.now() - startedAt });
      });
      // Chunks that are still pending when the scorer closes are not counted.
      pushed.catch(() => undefined);
    }
    const endedAt = performance.now();
    recognition.close();
    const litAtEnd = progressEvents.at(-1)?.said ?? 0;
    const assessment = await scorer.assess({ pcm, text });
    scoreDelays.push(performance.now() - endedAt);
    litShares.push(litAtEnd / text.length);
    let offset = 0;
    for (const { word, endMs, error } of assessment.words) {
      if (error === 'Omission' || error === 'Insertion') continue;
      offset = text.indexOf(word, offset) + word.length;
      const when = progressEvents.find(({ said }) => said >= offset)?.atMs;
      if (when !== undefined) highlightDelays.push(when - endMs);
    }
  }
  await scorer.close();
  return {
    medianMs: median(scoreDelays),
    worstMs: Math.max(...scoreDelays),
    highlightDelayMs: median(highlightDelays),
    litShare: litShares.reduce((sum, share) => sum + share, 0) / Math.max(1, litShares.length),
  };
}

function tenSecondUtterances(recordings: readonly Recording[]): { pcm: Float32Array; text: string }[] {
  const utterances: { pcm: Float32Array; text: string }[] = [];
  let parts: Recording[] = [];
  for (const recording of recordings) {
    parts.push(recording);
    const pcm = concatenate(parts.flatMap((part) => [trimSilence(part.pcm), roomTone(part.pcm, 300)]));
    if (pcm.length < UTTERANCE_MS * SAMPLES_PER_MS) continue;
    utterances.push({
      pcm: pcm.slice(0, UTTERANCE_MS * SAMPLES_PER_MS),
      text: parts.map(({ text }) => text).join(' '),
    });
    parts = [];
  }
  return utterances;
}
