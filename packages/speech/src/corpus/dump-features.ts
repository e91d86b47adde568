/**
 * Writes what the scorer is trained on: the product's own features beside the experts' scores, one JSON line an utterance and network;
 * of the speakers that are learned from also as a noisy room and a telephone change them, and with mistakes in what they were asked for.
 * `node src/corpus/dump-features.ts --corpus DIR --folds FILE --out FILE [--part 0/2]`
 *
 * FOLDS (training/acoustic.py) names the network that did not learn from a speaker: only what that one heard of them is written, so
 * that the scorer meets in training what it will meet in use. Of other speakers every network's hearing is written.
 */
import { createWriteStream } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { z } from 'zod';
import { type Hearing, loadAcousticModel } from '../acoustic/acoustic-model.ts';
import { alignWords } from '../align/align.ts';
import { type Disturb, noisy, telephone } from '../evaluate/disturb.ts';
import { pronunciationFeatures } from '../features/pronunciation-features.ts';
import { ACOUSTIC_FILE, MODEL_DIR } from '../score/model-dir.ts';
import { type LogMel, logMel } from '../signal/log-mel.ts';
import { prepareSpeech } from '../signal/prepare-speech.ts';
import { readCorpusAudio, readUtterances } from './corpus.ts';
import { type Asked, askedOf, mistaken } from './mistaken.ts';

const { values } = parseArgs({
  options: {
    corpus: { type: 'string' },
    folds: { type: 'string' },
    out: { type: 'string' },
    part: { type: 'string', default: '0/1' },
  },
});
if (values.corpus === undefined || values.out === undefined || values.folds === undefined)
  throw new Error('give --corpus DIR, --folds FILE and --out FILE');
const [part = 0, parts = 1] = values.part.split('/').map(Number);

const networkBySpeaker = z.record(z.string(), z.number()).parse(JSON.parse(await readFile(values.folds, 'utf8')));
const acoustic = await loadAcousticModel(join(MODEL_DIR, ACOUSTIC_FILE), { threads: 1 });
const out = createWriteStream(values.out);
let left = 0;
const MISTAKEN_ROUNDS = 2;
const DISTURBED: readonly Disturb[] = [noisy(25), noisy(15), telephone];

for (const [index, utterance] of (await readUtterances(values.corpus)).entries()) {
  if (index % parts !== part) continue;
  const recorded = await readCorpusAudio(join(values.corpus, utterance.audio));
  const heard = await hear(recorded);
  dump(heard, askedOf(utterance));
  for (let round = 0; round < MISTAKEN_ROUNDS; round += 1) dump(heard, mistaken(utterance, round));
  if (utterance.split !== 'train') continue;
  for (const disturb of DISTURBED) dump(await hear(await disturb(recorded)), askedOf(utterance));
}

async function hear(pcm: Float32Array): Promise<{ hearing: Hearing; mel: LogMel }> {
  const mel = logMel(prepareSpeech(pcm).pcm);
  return { hearing: await acoustic.run(mel), mel };
}

function dump(
  { hearing, mel }: { hearing: Hearing; mel: LogMel },
  { utterance, words, phoneScores, isMistaken }: Asked,
): void {
  const alignment = alignWords(hearing, words);
  if (alignment === null) {
    left += 1;
    return;
  }
  const round = (row: number[]): number[] => row.map((value) => Math.round(value * 1e4) / 1e4);
  const own = networkBySpeaker[utterance.speaker];
  for (const [network, heard] of hearing.networks.entries()) {
    if (own !== undefined && own !== network) continue;
    const features = pronunciationFeatures(heard, alignment, mel);
    out.write(
      `${JSON.stringify({
        id: utterance.id,
        network,
        split: utterance.split,
        phones: features.phones.map(round),
        isMistaken,
        phoneScores,
        speaker: utterance.speaker,
        words: features.words.map(round),
        wordLengths: alignment.words.map((word) => word.phones.length),
        wordScores: utterance.words.map((word) => word.accuracy),
        utterance: round(features.utterance),
        sentence: [utterance.accuracy, utterance.fluency, utterance.prosodic, utterance.total],
      })}\n`,
    );
  }
}
out.end();
console.error(`${left} utterances were too short for their text`);
