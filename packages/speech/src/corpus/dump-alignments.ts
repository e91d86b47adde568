/**
 * Writes the alignment of each utterance as one JSON line, the frame-wise training target of the acoustic networks. `node
 * src/corpus/dump-alignments.ts --corpus DIR --out FILE`
 */
import { createWriteStream } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { loadAcousticModel } from '../acoustic/acoustic-model.ts';
import { alignWords } from '../align/align.ts';
import { ACOUSTIC_FILE, MODEL_DIR } from '../score/model-dir.ts';
import { logMel } from '../signal/log-mel.ts';
import { prepareSpeech } from '../signal/prepare-speech.ts';
import { readCorpusAudio, readUtterances, judgedWords } from './corpus.ts';

const { values } = parseArgs({ options: { corpus: { type: 'string' }, out: { type: 'string' } } });
if (values.corpus === undefined || values.out === undefined)
  throw new Error('--corpus DIR and --out FILE are required');

const acoustic = await loadAcousticModel(join(MODEL_DIR, ACOUSTIC_FILE), { threads: 1 });
const out = createWriteStream(values.out);
for (const utterance of await readUtterances(values.corpus)) {
  const acousticOutput = await acoustic.run(
    logMel(prepareSpeech(await readCorpusAudio(join(values.corpus, utterance.audio))).pcm),
  );
  const alignment = alignWords(acousticOutput, judgedWords(utterance));
  if (alignment === null) continue;
  const phones = alignment.words.flatMap((word) => word.phones);
  out.write(
    `${JSON.stringify({
      id: utterance.id,
      frames: acousticOutput.frames,
      outputs: phones.map(({ output }) => output),
      spans: phones.map(({ firstFrame, lastFrame }) => [firstFrame, lastFrame + 1]),
    })}\n`,
  );
}
out.end();
