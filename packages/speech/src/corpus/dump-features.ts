/**
 * Writes what the scorer is trained on: the product's own features beside the experts' scores, one JSON line an utterance; of the
 * speakers that are learned from also as a noisy room and a telephone change them.
 * `node src/corpus/dump-features.ts --corpus DIR --out FILE`
 */
import { createWriteStream } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { loadAcousticModel } from '../acoustic/acoustic-model.ts';
import { alignWords } from '../align/align.ts';
import { pronunciationFeatures } from '../features/pronunciation-features.ts';
import { MODEL_DIR } from '../score/model-dir.ts';
import { outputOf } from '../pronounce/phones.ts';
import { logMel } from '../signal/log-mel.ts';
import { prepareSpeech } from '../signal/prepare-speech.ts';
import { type Disturb, noisy, telephone } from '../evaluate/disturb.ts';
import { readCorpusAudio, readUtterances, type Utterance } from './corpus.ts';

const { values } = parseArgs({ options: { corpus: { type: 'string' }, out: { type: 'string' } } });
if (values.corpus === undefined || values.out === undefined) throw new Error('give --corpus DIR and --out FILE');

const acoustic = await loadAcousticModel(join(MODEL_DIR, 'acoustic.onnx'), { threads: 1 });
const out = createWriteStream(values.out);
let left = 0;
const asRecorded: Disturb = (pcm) => pcm;
const DISTURBED: readonly Disturb[] = [asRecorded, noisy(25), noisy(15), telephone];

for (const utterance of await readUtterances(values.corpus)) {
  const recorded = await readCorpusAudio(join(values.corpus, utterance.audio));
  for (const disturb of utterance.split === 'train' ? DISTURBED : [asRecorded])
    await dump(utterance, prepareSpeech(await disturb(recorded)).pcm);
}

async function dump(utterance: Utterance, pcm: Float32Array): Promise<void> {
  const mel = logMel(pcm);
  const posteriors = await acoustic.run(mel);
  // The corpus says which pronunciation its experts judged: no dictionary is asked here.
  const words = utterance.words.map((word) => ({
    word: word.text,
    pronunciations: [{ phones: word.phones, outputs: word.phones.map((phone) => outputOf(phone) ?? 0) }],
  }));
  const alignment = alignWords(posteriors, words);
  if (alignment === null) {
    left += 1;
    return;
  }
  const round = (row: number[]): number[] => row.map((value) => Math.round(value * 1e4) / 1e4);
  const features = pronunciationFeatures(posteriors, alignment, mel);
  out.write(
    `${JSON.stringify({
      id: utterance.id,
      split: utterance.split,
      phones: features.phones.map(round),
      phoneScores: utterance.words.flatMap((word) => word.phonesAccuracy ?? word.phones.map(() => null)),
      speaker: utterance.speaker,
      words: features.words.map(round),
      wordLengths: alignment.words.map((word) => word.phones.length),
      wordScores: utterance.words.map((word) => word.accuracy),
      utterance: round(features.utterance),
      sentence: [utterance.accuracy, utterance.fluency, utterance.prosodic, utterance.total],
    })}\n`,
  );
}
out.end();
console.error(`${left} utterances were too short for their text`);
