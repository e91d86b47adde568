/** Repeats a few words of what the learner said, as a listener does. */

const PRONOUN_SWAPS: Readonly<Record<string, string>> = {
  i: 'you',
  "i'm": "you're",
  "i've": "you've",
  "i'd": "you'd",
  "i'll": "you'll",
  me: 'you',
  my: 'your',
  mine: 'yours',
  myself: 'yourself',
  we: 'you',
  "we're": "you're",
  "we've": "you've",
  "we'd": "you'd",
  "we'll": "you'll",
  us: 'you',
  our: 'your',
  ours: 'yours',
  am: 'are',
  your: 'my',
  yours: 'mine',
};

const CLAUSE_BOUNDARY = /[,.;:!?…]|\b(?:because|but|and|so|although|please)\b/i;
const STARTS_WITH_LEARNER = /^(?:i|my|we|our)\b/i;
/** Except at the end of a clause, "you" can mean "I" as well as "me". */
const ADDRESSES_COACH = /\byou(?:rself)?\b(?! *$)/i;
const [MIN_WORDS, MAX_WORDS, MAX_CHARACTERS] = [3, 12, 70];

/**
 * Returns the longest short clause about the learner, with the pronouns swapped: "you are looking for a quiet flat".
 */
export function echoClause(said: string): string | null {
  const clauses = normalizeApostrophes(said)
    .split(CLAUSE_BOUNDARY)
    .map((clause) => clause.trim())
    .filter((clause) => STARTS_WITH_LEARNER.test(clause) && !ADDRESSES_COACH.test(clause) && isShort(clause));
  const [longest] = clauses.toSorted((one, other) => other.length - one.length);
  return longest === undefined ? null : swapPronouns(longest);
}

const isShort = (clause: string): boolean => {
  const count = clause.split(/\s+/).length;
  return count >= MIN_WORDS && count <= MAX_WORDS && clause.length <= MAX_CHARACTERS;
};

function swapPronouns(clause: string): string {
  const words = clause.split(/\s+/);
  return words
    .map((word, at) => {
      if (word === 'was' && /^i$/i.test(words[at - 1] ?? '')) return 'were';
      return word === 'you' ? 'me' : (PRONOUN_SWAPS[word.toLowerCase()] ?? word);
    })
    .join(' ');
}

/** Stop words. */
const STOP_WORDS: ReadonlySet<string> = new Set(
  (
    'a an the this that these those it its he she they him her them his their there here and or but so if then than because as at by for ' +
    'from in into of off on out over to up with about after before i me my we us our you your am is are was were be been being do does did ' +
    'have has had can could will would shall should may might must not no yes very just really also only too well much many more most some ' +
    'any all what when where which who why how like want know think say said tell get got go going went come make need let please thank thanks ' +
    'hello hi good morning afternoon evening okay sure maybe one'
  ).split(' '),
);
const [MAX_KEY_WORDS, MIN_LETTERS] = [3, 4];

/** Returns the longest run of content words. */
export function keyWords(said: string): string | null {
  const runs: string[][] = [[]];
  for (const word of normalizeApostrophes(said).match(/[\p{L}\p{N}'-]+|[^\p{L}\p{N}\s]/gu) ?? []) {
    if (isKeyWord(word)) runs.at(-1)?.push(word);
    else runs.push([]);
  }
  const texts = runs.map((run) => run.slice(-MAX_KEY_WORDS).join(' '));
  // If runs are equal, the later one wins, because new information comes last.
  const [longest = ''] = texts.toReversed().toSorted((one, other) => other.length - one.length);
  return longest.length < MIN_LETTERS ? null : longest;
}

export const isKeyWord = (word: string): boolean =>
  /^[\p{L}\p{N}]/u.test(word) && !STOP_WORDS.has(word.toLowerCase().replace(/'\p{L}+$/u, ''));

const normalizeApostrophes = (said: string): string => said.replace(/[’ʼ]/g, "'");
