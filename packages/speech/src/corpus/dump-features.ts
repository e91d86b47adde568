/**
 * Writes the training data of the trees: the product's own features, one JSON line per utterance and network, and
 * further lines with a planted wrong sound. `node src/corpus/dump-features.ts MODEL.onnx.br NETWORK < RECORDINGS.jsonl
 * > FEATURES.jsonl`. RECORDINGS, which `training/list_recordings.py` writes, contains speech that experts scored, and
 * other English, which is assumed to be well said. The `networks` of a recording are those that were not trained on its
 * speaker, so that the trees learn from the kind of data that they see in use. MODEL contains the network with the
 * number NETWORK; recordings that do not list it are skipped.
 */
import { createInterface } from 'node:readline';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { z } from 'zod';
import { type AcousticOutput, loadAcousticModel } from '../acoustic/acoustic-model.ts';
import { type AlignedWord, type Alignment, alignWords, omittedWords, phoneSequencesOf } from '../align/align.ts';
import { contrastEvidence, contrastFeatures } from '../contrast/find-rivals.ts';
import { CONTRASTS_FILE, loadContrastModel } from '../contrast/contrast-model.ts';
import { type Distortion, noisy, telephone } from '../evaluate/distortions.ts';
import { pronunciationFeatures } from '../features/pronunciation-features.ts';
import { phoneEmbeddings } from '../features/sequence-inputs.ts';
import { sequenceFeatures } from '../features/sequence-features.ts';
import { loadDictionary } from '../pronounce/dictionary.ts';
import { type ExpectedWord, pronounceText } from '../pronounce/pronounce.ts';
import { MODEL_DIR } from '../score/model-dir.ts';
import { type LogMel, logMel } from '../signal/log-mel.ts';
import { prepareSpeech } from '../signal/prepare-speech.ts';
import { readCorpusAudio } from './corpus.ts';
import { plantExchange, type PlantedExchange } from './exchange-phone.ts';

const Recording = z.object({
  id: z.string(),
  audio: z.string(),
  text: z.string(),
  speaker: z.string(),
  corpus: z.string(),
  age: z.number(),
  split: z.string(),
  networks: z.array(z.number()),
  distort: z.enum(['none', 'noise15', 'noise20', 'telephone']),
  /** How many wrong sounds are planted, each in a line of its own. */
  exchanges: z.number(),
  /** The experts' scores of each word, 0-10, and of its phones, 0-2; null in other English. */
  wordScores: z.array(z.number()).nullable(),
  phoneScores: z.array(z.array(z.number()).nullable()).nullable(),
  /** Accuracy, fluency and prosody, 0-10; null where they are not known. */
  sentence: z.array(z.number()).nullable(),
});
type Recording = z.infer<typeof Recording>;

const WELL_SAID = { word: 10, phone: 2 };
const MIN_WELL_SAID_WORD = 9.5;
const DISTORTIONS: Record<Recording['distort'], Distortion> = {
  none: (pcm) => pcm,
  noise15: noisy(15),
  noise20: noisy(20),
  telephone,
};

const [, , modelFile, networkNumber] = process.argv;
if (modelFile === undefined || networkNumber === undefined) throw new Error('MODEL.onnx.br and NETWORK are required');
const network = Number(networkNumber);
const acoustic = await loadAcousticModel(modelFile, { threads: 1 });
const contrasts = await loadContrastModel(join(MODEL_DIR, CONTRASTS_FILE));
const dictionary = await loadDictionary(MODEL_DIR);
let skipped = 0;

for await (const line of createInterface({ input: process.stdin })) {
  const recording = Recording.parse(JSON.parse(line));
  if (!recording.networks.includes(network)) continue;
  const pcm = await DISTORTIONS[recording.distort](await readCorpusAudio(recording.audio));
  const mel = logMel(prepareSpeech(pcm).pcm);
  const speech = { acousticOutput: await acoustic.run(mel), mel };
  const expected = pronounceText(recording.text, dictionary);
  const natural = align(speech.acousticOutput, expected);
  if (natural === null) continue;
  writeExamples(recording, speech, { alignment: natural, planted: null });
  const isWellSaid = (word: number): boolean =>
    recording.wordScores === null || (recording.wordScores[word] ?? 0) >= MIN_WELL_SAID_WORD;
  for (let variant = 0; variant < recording.exchanges; variant += 1) {
    const draw = crc32(`${recording.id} ${recording.distort} ${variant}`);
    const planted = plantExchange(expected, natural, { draw, isWellSaid });
    const alignment = planted === null ? null : align(speech.acousticOutput, planted.words);
    if (alignment !== null) writeExamples(recording, speech, { alignment, planted });
  }
}

function align(acousticOutput: AcousticOutput, words: readonly ExpectedWord[]): Alignment | null {
  const alignment = alignWords(acousticOutput, words, omittedWords(phoneSequencesOf(acousticOutput), words));
  if (alignment === null) skipped += 1;
  return alignment;
}

function writeExamples(
  recording: Recording,
  speech: { acousticOutput: AcousticOutput; mel: LogMel },
  { alignment, planted }: { alignment: Alignment; planted: PlantedExchange | null },
): void {
  const round = (row: readonly number[]): number[] => row.map((value) => Math.round(value * 1e4) / 1e4);
  const phones = alignment.words.flatMap((word) => word.phones);
  const { segments, ratios } = contrastEvidence(speech, phones);
  const [heard] = speech.acousticOutput.networks;
  if (heard === undefined) throw new Error(`${modelFile} has no network`);
  const ratio = ratios[0] ?? null;
  const placed = pronunciationFeatures(heard, alignment, speech.mel);
  const sequence = sequenceFeatures(ratio, alignment);
  const { id, corpus, speaker, age, split, distort } = recording;
  process.stdout.write(
    `${JSON.stringify({
      id,
      corpus,
      speaker,
      age,
      split,
      distort,
      network,
      exchanged:
        planted === null
          ? null
          : { word: alignment.words.findIndex(({ word }) => word === planted.word), phone: planted.phone },
      wordIndex: alignment.words.map(({ word }) => word),
      wordLengths: alignment.words.map((word) => word.phones.length),
      phones: placed.phones.map(round),
      sequencePhones: sequence.phones.map(round),
      contrast: contrastFeatures(phones, { segments, ratio }, contrasts).map(round),
      // The sequence model learns from natural recordings alone.
      embedding: planted === null ? phoneEmbeddings(heard, phones).map(round) : [],
      phoneScores: planted === null ? alignment.words.flatMap((word) => phoneScoresOf(word, recording)) : [],
      words: placed.words.map(round),
      sequenceWords: sequence.words.map(round),
      wordScores:
        planted === null ? alignment.words.map(({ word }) => recording.wordScores?.[word] ?? WELL_SAID.word) : [],
      utterance: round(placed.utterance),
      sentence: recording.sentence,
    })}\n`,
  );
}

/** The experts judged one pronunciation. A word that was aligned with one of a different length has no phone scores. */
function phoneScoresOf({ word, phones }: AlignedWord, { phoneScores }: Recording): (number | null)[] {
  if (phoneScores === null) return phones.map(() => WELL_SAID.phone);
  const judged = phoneScores[word];
  return judged?.length === phones.length ? judged : phones.map(() => null);
}
await acoustic.close();
console.error(`${skipped} alignments were skipped because they were too short for their text`);
