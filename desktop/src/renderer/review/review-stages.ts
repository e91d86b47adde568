/** The steps of a card: the word, then the phrase around it, then its sentence. */
import { type Assessment, findWord, type WordAssessment } from '@parley/domain';

export interface ReviewStage {
  name: 'word' | 'phrase' | 'sentence';
  text: string;
}

/** The number of words on each side of the word in its phrase. */
const PHRASE_MARGIN_WORDS = 2;

export function stagesOf({ word, sentence }: { word: string; sentence: string | null }): ReviewStage[] {
  const stages: ReviewStage[] = [{ name: 'word', text: word }];
  const words = sentence?.split(/\s+/).filter(Boolean) ?? [];
  const [run] = findWord(word, words);
  if (sentence === null || run === undefined || words.length < 2) return stages;
  const phrase = words.slice(Math.max(0, run.first - PHRASE_MARGIN_WORDS), run.last + PHRASE_MARGIN_WORDS + 1);
  if (phrase.length < words.length) stages.push({ name: 'phrase', text: phrase.join(' ') });
  stages.push({ name: 'sentence', text: sentence });
  return stages;
}

/** A word that was scored. */
export type ScoredWordAssessment = WordAssessment & { accuracy: number };

const isScored = (word: WordAssessment): word is ScoredWordAssessment =>
  word.accuracy !== null && word.error !== 'Omission';

/** The reviewed word in what was just said, as clear as its weakest part; undefined if it was not scored. */
export function reviewedWord(word: string, { words }: Assessment): ScoredWordAssessment | undefined {
  const said = words.filter(({ error }) => error !== 'Insertion');
  const spellings = said.map((each) => each.word);
  for (const { first, last } of findWord(word, spellings)) {
    const parts = said.slice(first, last + 1);
    // A part with an unknown pronunciation has no accuracy, and the other parts represent the word.
    const scored = parts.filter(isScored);
    if (!parts.some(({ error }) => error === 'Omission') && isNonEmpty(scored)) return joinParts(scored);
  }
  return undefined;
}

const isNonEmpty = <Item>(items: Item[]): items is [Item, ...Item[]] => items.length > 0;

function joinParts(parts: [ScoredWordAssessment, ...ScoredWordAssessment[]]): ScoredWordAssessment {
  const [first] = parts;
  if (parts.length === 1) return first;
  const weakest = parts.reduce((lowest, part) => (part.accuracy < lowest.accuracy ? part : lowest));
  return {
    ...weakest,
    word: parts.map((part) => part.word).join(' '),
    startMs: first.startMs,
    endMs: (parts.at(-1) ?? first).endMs,
    phonemes: parts.flatMap(({ phonemes }) => phonemes),
  };
}
