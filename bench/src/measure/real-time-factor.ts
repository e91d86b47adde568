/** How long the scorer works on a second of speech, on one thread, after its model is loaded. */
import { createScorer, parseWav } from '@parley/speech';
import { heldOutRecording, synthesise } from '@parley/test-kit';

const RUNS = 5;

export async function measureRealTimeFactor(): Promise<number> {
  const text = 'I finished the report for the client yesterday and sent it before five';
  const spoken = heldOutRecording({ words: 8 }) ?? { text, wav: synthesise(text) };
  if (spoken.wav === null) throw new Error('needs the corpus or espeak-ng (Debian: espeak-ng)');
  const wav = parseWav(spoken.wav);
  if (!wav.ok) throw new Error(wav.error.message);
  const { pcm } = wav.value;
  const scorer = await createScorer({ threads: 1 });
  await scorer.assess({ pcm, text: spoken.text });
  const factors: number[] = [];
  for (let run = 1; run <= RUNS; run += 1) {
    // A sample less each time: the very same recording would not be heard again.
    const other = pcm.slice(run);
    const startedAt = performance.now();
    await scorer.assess({ pcm: other, text: spoken.text });
    factors.push((performance.now() - startedAt) / ((pcm.length / 16_000) * 1000));
  }
  await scorer.close();
  return factors.toSorted((a, b) => a - b)[Math.floor(RUNS / 2)] ?? Number.NaN;
}
