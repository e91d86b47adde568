/**
 * Runs the shipped networks on recordings, for comparison with new ones: JSON lines `{"id","audio"}` on standard input
 * become `{"id","heard"}`, for each network the outputs of its greedy CTC path.
 */
import { createInterface } from 'node:readline';
import { join } from 'node:path';
import { z } from 'zod';
import { loadAcousticModel, type Posteriors } from '../src/acoustic/acoustic-model.ts';
import { readCorpusAudio } from '../src/corpus/corpus.ts';
import { ACOUSTIC_FILE, MODEL_DIR } from '../src/score/model-dir.ts';
import { logMel } from '../src/signal/log-mel.ts';
import { prepareSpeech } from '../src/signal/prepare-speech.ts';

const Line = z.object({ id: z.string(), audio: z.string() });

/** Another model's file may be given. */
const modelFile = process.argv[2] ?? join(MODEL_DIR, ACOUSTIC_FILE);
const acoustic = await loadAcousticModel(modelFile, { threads: 1 });
for await (const line of createInterface({ input: process.stdin })) {
  const { id, audio } = Line.parse(JSON.parse(line));
  const recognition = await acoustic.run(logMel(prepareSpeech(await readCorpusAudio(audio)).pcm));
  process.stdout.write(
    `${JSON.stringify({ id, heard: recognition.networks.map(({ order }) => greedyPath(order)) })}\n`,
  );
}
await acoustic.close();

function greedyPath({ frames, outputs, logProbs }: Posteriors): number[] {
  const heard: number[] = [];
  let previous = 0;
  for (let frame = 0; frame < frames; frame += 1) {
    const row = logProbs.subarray(frame * outputs, (frame + 1) * outputs);
    const best = row.indexOf(Math.max(...row));
    if (best !== previous && best !== 0) heard.push(best);
    previous = best;
  }
  return heard;
}
