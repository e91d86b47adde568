/** Measures how long one thread of the loaded scorer works per second of speech. */
import { createScorer, parseWav } from '@parley/speech';
import { heldOutRecording, synthesise } from '@parley/test-kit';
import { median } from './quantile.ts';

const RUNS = 5;

export async function measureRealTimeFactor(): Promise<number> {
  const text = 'I finished the report for the client yesterday and sent it before five';
  const recording = heldOutRecording({ words: 8 }) ?? { text, wav: synthesise(text) };
  if (recording.wav === null) throw new Error('needs the corpus or espeak-ng (Debian: espeak-ng)');
  const wav = parseWav(recording.wav);
  if (!wav.ok) throw new Error(wav.error.message);
  const { pcm } = wav.value;
  const scorer = await createScorer({ threads: 1 });
  await scorer.assess({ pcm, text: recording.text });
  const factors: number[] = [];
  for (let run = 1; run <= RUNS; run += 1) {
    // Each run drops a sample, because the scorer caches the result of an identical recording.
    const shortened = pcm.slice(run);
    const startedAt = performance.now();
    await scorer.assess({ pcm: shortened, text: recording.text });
    factors.push((performance.now() - startedAt) / ((pcm.length / 16_000) * 1000));
  }
  await scorer.close();
  return median(factors);
}
