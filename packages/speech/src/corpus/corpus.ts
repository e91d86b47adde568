/** Reads a corpus in the format of the speechocean762 folder: `utterances.jsonl` next to Opus or WAV files. */
import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { promisify } from 'node:util';
import { z } from 'zod';
import { outputOf } from '../pronounce/phones.ts';
import type { ExpectedWord } from '../pronounce/pronounce.ts';
import { parseWav } from '../wav/parse-wav.ts';
import { decodePcm16 } from '../wav/encode-wav.ts';

const ScoreOutOf10 = z.number().min(0).max(10);

export const Utterance = z.object({
  id: z.string(),
  audio: z.string(),
  text: z.string(),
  speaker: z.string(),
  age: z.number(),
  split: z.string(),
  accuracy: ScoreOutOf10,
  fluency: ScoreOutOf10,
  prosodic: ScoreOutOf10,
  total: ScoreOutOf10,
  words: z.array(
    z.object({
      text: z.string(),
      phones: z.array(z.string()),
      accuracy: ScoreOutOf10,
      total: ScoreOutOf10,
      phonesAccuracy: z.array(z.number().min(0).max(2)).nullish(),
    }),
  ),
});
export type Utterance = z.infer<typeof Utterance>;

export async function readUtterances(corpusDir: string): Promise<Utterance[]> {
  const lines = (await readFile(join(corpusDir, 'utterances.jsonl'), 'utf8')).trim().split('\n');
  return lines.map((line) => Utterance.parse(JSON.parse(line)));
}

/** Uses the pronunciation that the corpus' experts judged instead of a dictionary. */
export const judgedWords = ({ words }: Utterance): ExpectedWord[] =>
  words.map(({ text, phones }) => ({
    word: text,
    pronunciations: [{ phones, outputs: phones.map((phone) => outputOf(phone) ?? 0) }],
    pauseAfter: 'none',
  }));

const run = promisify(execFile);
const MAX_DECODED_BYTES = 256 * 1024 * 1024;

/** Returns 16 kHz mono samples. Opus files need the `opusdec` program (Debian: opus-tools). */
export async function readCorpusAudio(file: string): Promise<Float32Array> {
  if (extname(file) === '.opus') {
    const { stdout } = await run('opusdec', ['--quiet', '--rate', '16000', file, '-'], {
      encoding: 'buffer',
      maxBuffer: MAX_DECODED_BYTES,
    });
    return decodePcm16(stdout.subarray(stdout.subarray(0, 4).toString('latin1') === 'RIFF' ? 44 : 0));
  }
  const parsed = parseWav(await readFile(file));
  if (!parsed.ok) throw new Error(`${file}: ${parsed.error.message}`);
  return parsed.value.pcm;
}
