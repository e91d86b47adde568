/** What a card asks for: the word, then the phrase around it, then its sentence. */
import { listedSpelling, type Assessment, type WordAssessment } from '@parley/domain';

export interface ReviewStage {
  name: 'word' | 'phrase' | 'sentence';
  text: string;
}

/** Words on each side of the word in its phrase. */
const PHRASE_MARGIN_WORDS = 2;

export function stagesOf({ word, sentence }: { word: string; sentence: string | null }): ReviewStage[] {
  const stages: ReviewStage[] = [{ name: 'word', text: word }];
  const words = sentence?.split(/\s+/).filter(Boolean) ?? [];
  const place = words.findIndex((each) => listedSpelling(each) === word);
  if (sentence === null || place === -1 || words.length < 2) return stages;
  const phrase = words.slice(Math.max(0, place - PHRASE_MARGIN_WORDS), place + PHRASE_MARGIN_WORDS + 1);
  if (phrase.length < words.length) stages.push({ name: 'phrase', text: phrase.join(' ') });
  stages.push({ name: 'sentence', text: sentence });
  return stages;
}

/** The reviewed word in what was just said; undefined when it was not scored. */
export const reviewedWord = (
  word: string,
  assessment: Assessment,
): (WordAssessment & { accuracy: number }) | undefined =>
  assessment.words.find(
    (each): each is WordAssessment & { accuracy: number } =>
      listedSpelling(each.word) === word && each.accuracy !== null && each.error !== 'Omission',
  );
