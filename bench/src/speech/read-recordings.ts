/** Reads corpus recordings with their texts, spread evenly over the speakers. */
import { join } from 'node:path';
import { readCorpusAudio, readUtterances } from '@parley/speech/evaluate';

export interface Recording {
  id: string;
  /** 16 kHz mono. */
  pcm: Float32Array;
  text: string;
  speaker: string;
  /** In years. */
  age: number;
  /** Expert scores, 0-10. */
  fluency: number;
  prosody: number;
  wordScores: number[];
}

export async function readRecordings(options: {
  corpusDir: string;
  split: string;
  /** Infinity reads all recordings. */
  limit: number;
}): Promise<Recording[]> {
  const utterances = (await readUtterances(options.corpusDir)).filter(({ split }) => split === options.split);
  const step = Math.max(1, Math.floor(utterances.length / options.limit));
  const chosen = utterances.filter((_, index) => index % step === 0).slice(0, options.limit);
  const recordings: Recording[] = [];
  for (const { id, audio, text, speaker, age, fluency, prosodic, words } of chosen)
    recordings.push({
      id,
      text,
      speaker,
      age,
      fluency,
      prosody: prosodic,
      wordScores: words.map(({ accuracy }) => accuracy),
      pcm: await readCorpusAudio(join(options.corpusDir, audio)),
    });
  return recordings;
}
