/**
 * Writes the training data of `training/train_contrasts.py`: how the product recognises every phone in recordings of
 * known text, one JSON line per recording. `node src/corpus/dump-contrasts.ts [MODEL.onnx.br] < RECORDINGS.jsonl >
 * OUT.jsonl`, with lines `{"id","audio","text","kind"}`. Without MODEL, the shipped networks are used.
 */
import { createInterface } from 'node:readline';
import { join } from 'node:path';
import { z } from 'zod';
import { loadAcousticModel } from '../acoustic/acoustic-model.ts';
import { createSpeechAnalyser } from '../acoustic/analyse-speech.ts';
import { alignWords, phoneSequencesOf } from '../align/align.ts';
import { exchangeLogRatios } from '../align/exchanges.ts';
import { segmentFeatures } from '../contrast/segment-features.ts';
import { confusablePhones } from '../pronounce/confusable-phones.ts';
import { loadDictionary } from '../pronounce/dictionary.ts';
import { outputOf, withoutStress } from '../pronounce/phones.ts';
import { pronounceText } from '../pronounce/pronounce.ts';
import { ACOUSTIC_FILE, MODEL_DIR } from '../score/model-dir.ts';
import { readCorpusAudio } from './corpus.ts';

const Recording = z.looseObject({ id: z.string(), audio: z.string(), text: z.string() });

const acoustic = await loadAcousticModel(process.argv[2] ?? join(MODEL_DIR, ACOUSTIC_FILE), { threads: 1 });
const analyse = createSpeechAnalyser(acoustic);
const dictionary = await loadDictionary(MODEL_DIR);

for await (const line of createInterface({ input: process.stdin })) {
  const recording = Recording.parse(JSON.parse(line));
  const { acousticOutput, mel } = await analyse(await readCorpusAudio(recording.audio));
  const alignment = alignWords(acousticOutput, pronounceText(recording.text, dictionary));
  if (alignment === null) continue;
  const phones = alignment.words.flatMap((word) => word.phones);
  const segments = segmentFeatures(mel, phones);
  const ratios = phoneSequencesOf(acousticOutput).map((order) =>
    exchangeLogRatios(
      order,
      phones.map(({ output }) => output),
    ),
  );
  const rows = phones.map(({ output, phone }, index) => ({
    output,
    segment: Array.from(segments[index] ?? [], (value) => Math.round(value * 1_000) / 1_000),
    ratios: Object.fromEntries(
      confusablePhones(withoutStress(phone)).map((rival) => [
        rival,
        ratios.map((ratio) => Math.round((ratio?.(index, outputOf(rival) ?? 0) ?? 0) * 100) / 100),
      ]),
    ),
  }));
  process.stdout.write(`${JSON.stringify({ ...recording, phones: rows })}\n`);
}
await acoustic.close();
