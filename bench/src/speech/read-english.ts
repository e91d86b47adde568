/**
 * Reads transcribed English next to the scored corpus: `english/<name>/utterances.jsonl`, limited to speakers on whom
 * nothing was trained.
 */
import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { crc32 } from 'node:zlib';
import { readCorpusAudio } from '@parley/speech/evaluate';
import { corpusDir } from '@parley/test-kit';
import { z } from 'zod';

const EnglishUtterance = z.object({
  id: z.string(),
  audio: z.string(),
  text: z.string(),
  speaker: z.string(),
  seconds: z.number(),
  accent: z.string().nullish(),
});

export interface EnglishRecording {
  /** 16 kHz mono. */
  pcm: Float32Array;
  text: string;
  /** The accent as the speaker described it; empty if not stated. */
  accent: string;
}

export const NO_ENGLISH = 'needs the folder english beside the corpus (PARLEY_CORPUS_DIR), and opusdec';

export function englishDir(): string | null {
  const corpus = corpusDir();
  const dir = corpus === null ? null : join(dirname(corpus), 'english');
  return dir !== null && existsSync(dir) ? dir : null;
}

/** The rule of `packages/speech/training/prepare_speech.py`. */
function isHeldOut(corpus: string, speaker: string): boolean {
  if (speaker === 'unknown') return false;
  if (corpus.startsWith('voicebank')) return speaker === 'vctk-p232';
  return crc32(speaker) % 1_000 < 100;
}

const MAX_SECONDS = 14;

/**
 * At most `limit` recordings from the folders whose names begin with `corpus`, in an order that does not depend on
 * their speakers.
 */
export async function* readEnglish(dir: string, corpus: string, limit: number): AsyncGenerator<EnglishRecording> {
  const folders = (await readdir(dir)).filter((name) => name.startsWith(corpus)).toSorted();
  const utterances = await Promise.all(
    folders.map(async (name) => {
      const lines = (await readFile(join(dir, name, 'utterances.jsonl'), 'utf8')).trim().split('\n');
      return lines.map((line) => {
        const utterance = EnglishUtterance.parse(JSON.parse(line));
        return { ...utterance, audio: join(dir, name, utterance.audio) };
      });
    }),
  );
  const chosen = utterances
    .flat()
    .filter(({ speaker, seconds }) => seconds <= MAX_SECONDS && isHeldOut(corpus, speaker))
    .toSorted((a, b) => crc32(a.id) - crc32(b.id))
    .slice(0, limit);
  for (const { audio, text, accent } of chosen)
    yield { pcm: await readCorpusAudio(audio), text: text.toLowerCase(), accent: accent ?? '' };
}
