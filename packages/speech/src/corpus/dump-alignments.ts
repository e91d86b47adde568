/**
 * Writes where each phone was said, one JSON line an utterance: what the acoustic networks learn to hear frame by frame.
 * `node src/corpus/dump-alignments.ts --corpus DIR --out FILE`
 */
import { createWriteStream } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { loadAcousticModel } from '../acoustic/acoustic-model.ts';
import { alignWords } from '../align/align.ts';
import { ACOUSTIC_FILE, MODEL_DIR } from '../score/model-dir.ts';
import { logMel } from '../signal/log-mel.ts';
import { prepareSpeech } from '../signal/prepare-speech.ts';
import { readCorpusAudio, readUtterances, wordsAsJudged } from './corpus.ts';

const { values } = parseArgs({ options: { corpus: { type: 'string' }, out: { type: 'string' } } });
if (values.corpus === undefined || values.out === undefined) throw new Error('give --corpus DIR and --out FILE');

const acoustic = await loadAcousticModel(join(MODEL_DIR, ACOUSTIC_FILE), { threads: 1 });
const out = createWriteStream(values.out);
for (const utterance of await readUtterances(values.corpus)) {
  const hearing = await acoustic.run(
    logMel(prepareSpeech(await readCorpusAudio(join(values.corpus, utterance.audio))).pcm),
  );
  const alignment = alignWords(hearing, wordsAsJudged(utterance));
  if (alignment === null) continue;
  const phones = alignment.words.flatMap((word) => word.phones);
  out.write(
    `${JSON.stringify({
      id: utterance.id,
      frames: hearing.frames,
      outputs: phones.map(({ output }) => output),
      spans: phones.map(({ firstFrame, lastFrame }) => [firstFrame, lastFrame + 1]),
    })}\n`,
  );
}
out.end();
