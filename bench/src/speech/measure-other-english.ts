/** Measures the scores of speakers of other kinds of English, who read the texts that they were given. */
import { createScorer } from '@parley/speech';
import { readEnglish } from './read-english.ts';

export interface OtherEnglishFigures {
  name: string;
  recordings: number;
  refused: number;
  /** Median overall score of those that were not refused. */
  median: number;
}

/** The first three are read mostly or entirely by native speakers; the last are single words. */
export const OTHER_ENGLISH: readonly { name: string; corpus: string }[] = [
  { name: 'LibriSpeech', corpus: 'librispeech' },
  { name: 'VoiceBank, in noise', corpus: 'voicebank' },
  { name: 'Common Voice', corpus: 'commonvoice' },
  { name: 'Speech Commands', corpus: 'speech-commands' },
];
const MIN_OF_ACCENT = 5;

/** Each corpus, and each accent that at least five recordings of Common Voice state. */
export async function measureOtherEnglish(
  dir: string,
  limit: number,
): Promise<{ corpora: OtherEnglishFigures[]; accents: OtherEnglishFigures[] }> {
  const scorer = await createScorer();
  const corpora: OtherEnglishFigures[] = [];
  const byAccent = new Map<string, (number | null)[]>();
  for (const { name, corpus } of OTHER_ENGLISH) {
    const scores: (number | null)[] = [];
    for await (const { pcm, text, accent } of readEnglish(dir, corpus, limit)) {
      const { pron } = await scorer.assess({ pcm, text });
      scores.push(pron);
      if (accent !== '') byAccent.set(accent, [...(byAccent.get(accent) ?? []), pron]);
    }
    corpora.push(toFigures(name, scores));
  }
  await scorer.close();
  const accents = [...byAccent]
    .filter(([, scores]) => scores.length >= MIN_OF_ACCENT)
    .map(([accent, scores]) => toFigures(accent, scores));
  return { corpora, accents };
}

function toFigures(name: string, scores: readonly (number | null)[]): OtherEnglishFigures {
  const given = scores.flatMap((score) => (score === null ? [] : [score])).toSorted((a, b) => a - b);
  return {
    name,
    recordings: scores.length,
    refused: scores.length - given.length,
    median: given[Math.floor(given.length / 2)] ?? Number.NaN,
  };
}
