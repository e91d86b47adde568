/**
 * Measures where the midpoint between the two words of each minimal pair lies, and which pairs can be told apart at
 * all: `node src/corpus/calibrate-pairs.ts < RECORDINGS.jsonl > ../models/pairs.json`, with lines
 * `{"audio","text","other"}` in which `text` is what was said. Each pair is needed in both directions, by several
 * voices.
 */
import { createInterface } from 'node:readline';
import { join } from 'node:path';
import { z } from 'zod';
import { loadAcousticModel } from '../acoustic/acoustic-model.ts';
import { createSpeechAnalyser } from '../acoustic/analyse-speech.ts';
import { compareTexts } from '../contrast/compare-texts.ts';
import { CONTRASTS_FILE, loadContrastModel } from '../contrast/contrast-model.ts';
import { loadDictionary } from '../pronounce/dictionary.ts';
import { pronounceText } from '../pronounce/pronounce.ts';
import { ACOUSTIC_FILE, MODEL_DIR } from '../score/model-dir.ts';
import { readCorpusAudio } from './corpus.ts';

const Recording = z.object({ audio: z.string(), text: z.string(), other: z.string() });
/** With a smaller gap between the two words, too many verdicts would be wrong or missing. */
const MIN_GAP = 4;

const analyse = createSpeechAnalyser(await loadAcousticModel(join(MODEL_DIR, ACOUSTIC_FILE), { threads: 1 }));
const dictionary = await loadDictionary(MODEL_DIR);
const contrasts = await loadContrastModel(join(MODEL_DIR, CONTRASTS_FILE));

/** The log-odds of the second word in alphabetical order: when the first was said, and when the second was. */
const logOddsByPair = new Map<string, [first: number[], second: number[]]>();
for await (const line of createInterface({ input: process.stdin })) {
  const { audio, text, other } = Recording.parse(JSON.parse(line));
  const speech = await analyse(await readCorpusAudio(audio));
  const [first, second] = [text, other].toSorted();
  const words = { text: pronounceText(first ?? '', dictionary), other: pronounceText(second ?? '', dictionary) };
  const logOdds = compareTexts(speech, words, contrasts);
  if (logOdds === null) continue;
  const measured = logOddsByPair.get(`${first} ${second}`) ?? [[], []];
  measured[text === first ? 0 : 1].push(logOdds);
  logOddsByPair.set(`${first} ${second}`, measured);
}

const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;
const rounded = (value: number): number => Math.round(value * 1_000) / 1_000;
const pairs = [...logOddsByPair].flatMap(([words, [first, second]]) => {
  const gap = mean(second) - mean(first);
  console.error(`${words}: midpoint ${rounded((mean(first) + mean(second)) / 2)}, gap ${rounded(gap)}`);
  return gap >= MIN_GAP ? [{ words: words.split(' '), midpoint: rounded((mean(first) + mean(second)) / 2) }] : [];
});
process.stdout.write(`${JSON.stringify({ pairs })}\n`);
process.exit(0);
