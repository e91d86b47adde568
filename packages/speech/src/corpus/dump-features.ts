/**
 * Writes the scorer's training data: the product's own features with the experts' scores, one JSON line per utterance and network.
 * Some utterances of training speakers are repeated with room noise and telephone quality. `node src/corpus/dump-features.ts --corpus DIR --folds FILE --out FILE [--part 0/2]`
 *
 * FOLDS (training/adapt.py) names the network that was not trained on a given speaker. Only that network's output is written for the
 * speaker, so that the scorer is trained on the kind of data that it will see in use. For other speakers the output of every network is
 * written.
 */
import { createWriteStream } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { crc32 } from 'node:zlib';
import { z } from 'zod';
import { type AcousticOutput, loadAcousticModel } from '../acoustic/acoustic-model.ts';
import { type AlignedWord, alignWords, omittedWords, phoneSequencesOf } from '../align/align.ts';
import { type Distortion, noisy, telephone } from '../evaluate/distortions.ts';
import { pronunciationFeatures } from '../features/pronunciation-features.ts';
import { sequenceFeatures } from '../features/sequence-features.ts';
import { loadDictionary } from '../pronounce/dictionary.ts';
import { pronounceText } from '../pronounce/pronounce.ts';
import { ACOUSTIC_FILE, MODEL_DIR } from '../score/model-dir.ts';
import { type LogMel, logMel } from '../signal/log-mel.ts';
import { prepareSpeech } from '../signal/prepare-speech.ts';
import { readCorpusAudio, readUtterances, type Utterance } from './corpus.ts';

const { values } = parseArgs({
  options: {
    corpus: { type: 'string' },
    folds: { type: 'string' },
    out: { type: 'string' },
    part: { type: 'string', default: '0/1' },
  },
});
if (values.corpus === undefined || values.out === undefined || values.folds === undefined)
  throw new Error('--corpus DIR, --folds FILE and --out FILE are required');
const [part = 0, parts = 1] = values.part.split('/').map(Number);

const networkBySpeaker = z.record(z.string(), z.number()).parse(JSON.parse(await readFile(values.folds, 'utf8')));
const acoustic = await loadAcousticModel(join(MODEL_DIR, ACOUSTIC_FILE), { threads: 1 });
const out = createWriteStream(values.out);
let skipped = 0;
/** How many utterances are repeated with each distortion. */
const DISTORTIONS: readonly { distort: Distortion; utterances: number }[] = [
  { distort: noisy(15), utterances: 400 },
  { distort: telephone, utterances: 400 },
];
const dictionary = await loadDictionary(join(MODEL_DIR, 'pronunciations.tsv'));
const utterances = (await readUtterances(values.corpus)).toSorted((a, b) => crc32(a.id) - crc32(b.id));
const repeatedIds = utterances.filter(({ split }) => split === 'train').map(({ id }) => id);

for (const [index, utterance] of utterances.entries()) {
  if (index % parts !== part) continue;
  const recorded = await readCorpusAudio(join(values.corpus, utterance.audio));
  writeExample(await analyse(recorded), utterance);
  if (utterance.split !== 'train') continue;
  for (const { distort, utterances: most } of DISTORTIONS)
    if (repeatedIds.indexOf(utterance.id) < most) writeExample(await analyse(await distort(recorded)), utterance);
}

async function analyse(pcm: Float32Array): Promise<{ hearing: AcousticOutput; mel: LogMel }> {
  const mel = logMel(prepareSpeech(pcm).pcm);
  return { hearing: await acoustic.run(mel), mel };
}

function writeExample({ hearing, mel }: { hearing: AcousticOutput; mel: LogMel }, utterance: Utterance): void {
  const expected = pronounceText(utterance.text, dictionary);
  const alignment = alignWords(hearing, expected, omittedWords(phoneSequencesOf(hearing), expected));
  if (alignment === null) {
    skipped += 1;
    return;
  }
  const round = (row: number[]): number[] => row.map((value) => Math.round(value * 1e4) / 1e4);
  const own = networkBySpeaker[utterance.speaker];
  for (const [network, heard] of hearing.networks.entries()) {
    if (own !== undefined && own !== network) continue;
    const features = pronunciationFeatures(heard, alignment, mel);
    const sequence = sequenceFeatures(heard, alignment);
    out.write(
      `${JSON.stringify({
        id: utterance.id,
        network,
        split: utterance.split,
        phones: features.phones.map(round),
        phoneScores: alignment.words.flatMap((aligned) => phoneScoresOf(aligned, utterance)),
        sequencePhones: sequence.phones.map(round),
        sequenceWords: sequence.words.map(round),
        speaker: utterance.speaker,
        age: utterance.age,
        words: features.words.map(round),
        wordLengths: alignment.words.map((word) => word.phones.length),
        wordScores: alignment.words.map(({ word }) => utterance.words[word]?.accuracy),
        utterance: round(features.utterance),
        sentence: [utterance.accuracy, utterance.fluency, utterance.prosodic, utterance.total],
      })}\n`,
    );
  }
}

/** The experts judged one pronunciation; a word that was aligned with another of a different length has no scores of its phones. */
function phoneScoresOf({ word, phones }: AlignedWord, utterance: Utterance): (number | null)[] {
  const judged = utterance.words[word]?.phonesAccuracy;
  return judged?.length === phones.length ? judged : phones.map(() => null);
}
out.end();
console.error(`${skipped} utterances were skipped because they were too short for their text`);
