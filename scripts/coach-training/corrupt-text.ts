/** For training, imitates text produced by a recogniser or a beginner. The same seed gives the same copies. */

export type Random = () => number;

/** Park and Miller's minimal standard generator, 0 to 1. */
export function createRandom(seed: number): Random {
  let state = seed;
  return () => {
    state = (state * 16_807) % 2_147_483_647;
    return state / 2_147_483_647;
  };
}

/** Text as a recogniser writes it: without capitals and punctuation, and therefore without question marks. */
export const asTranscript = (text: string): string => text.toLowerCase().replaceAll(/[^\p{L}\p{N}' ]/gu, '');

const LOST_WORD = 0.05;
const WRONG_WORD = 0.1;
const MAX_ALIKE = 6;

/**
 * A transcript with missing words, and with others replaced by words from the vocabulary that begin alike and are about
 * as long.
 */
export function createMisheard(vocabulary: ReadonlySet<string>, random: Random): (text: string) => string {
  const byStart = new Map<string, string[]>();
  for (const word of vocabulary) {
    const start = startOf(word);
    byStart.set(start, [...(byStart.get(start) ?? []), word]);
  }
  const choicesByWord = new Map<string, string[]>();
  const choicesFor = (word: string): string[] => {
    const known = choicesByWord.get(word);
    if (known !== undefined) return known;
    const choices = (byStart.get(startOf(word)) ?? [])
      .filter((other) => other !== word && Math.abs(other.length - word.length) <= 2)
      .map((other) => ({ other, shared: sharedLetters(word, other) }))
      .toSorted((a, b) => b.shared - a.shared)
      .slice(0, MAX_ALIKE)
      .map(({ other }) => other);
    choicesByWord.set(word, choices);
    return choices;
  };
  return (text) =>
    asTranscript(text)
      .split(' ')
      .flatMap((word) => {
        const chance = random();
        if (chance < LOST_WORD) return [];
        if (chance > LOST_WORD + WRONG_WORD) return [word];
        const choices = choicesFor(word);
        return [choices[Math.floor(random() * choices.length)] ?? word];
      })
      .join(' ');
}

const startOf = (word: string): string => word.slice(0, 1);

function sharedLetters(word: string, other: string): number {
  const letters = [...other];
  let shared = 0;
  for (const letter of word) {
    const at = letters.indexOf(letter);
    if (at < 0) continue;
    letters.splice(at, 1);
    shared += 1;
  }
  return shared - Math.abs(word.length - other.length) / 2;
}

/** Beginners' mistakes, with the share of places where they occur. */
const SLIPS: readonly (readonly [RegExp, string, number])[] = [
  [/\b(?:a|an|the) /gi, '', 0.7],
  [/\b(?:do|does|did) (?=i\b|you\b|we\b|it\b|he\b|she\b|they\b|that\b|this\b)/gi, '', 0.5],
  [/\b(?:is|are|am) /gi, '', 0.25],
  [/\b(?:do not|don't|does not|doesn't|did not|didn't) /gi, 'not ', 0.4],
  [/\b(?:can't|cannot) /gi, 'can not ', 0.5],
  [/\bwhat does (\w+) mean\b/gi, 'what means $1', 0.6],
  [/\bto (?=\w+)/gi, '', 0.15],
  [/\b(?:it|there) (?=is\b|was\b)/gi, '', 0.5],
  [/\b(\w{4,})ed\b/gi, '$1', 0.25],
  [/\b(\w{3,}[^s])s\b/gi, '$1', 0.25],
  [/\bmuch\b/gi, 'many', 0.2],
];

/** A text without many of its articles, auxiliaries and endings, and without punctuation. */
export const createBeginner =
  (random: Random): ((text: string) => string) =>
  (text) =>
    SLIPS.reduce(
      (said, [pattern, instead, share]) =>
        said.replace(pattern, (found, group: unknown) => {
          if (random() >= share) return found;
          return typeof group === 'string' ? instead.replace('$1', group) : instead;
        }),
      asTranscript(text),
    ).trim();
