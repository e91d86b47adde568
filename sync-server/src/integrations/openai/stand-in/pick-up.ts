/** Takes up a few words of what somebody said, as a person does who listened. */

const OTHER_SIDE: Readonly<Record<string, string>> = {
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

const CLAUSE_ENDS = /[,.;:!?…]|\b(?:because|but|and|so|although|please)\b/i;
const BEGINS_WITH_THEM = /^(?:i|my|we|our)\b/i;
/** Elsewhere than at its end it is "I" as often as "me". */
const NAMES_US = /\byou(?:rself)?\b(?! *$)/i;
const [FEWEST_WORDS, MOST_WORDS, MOST_CHARS] = [3, 12, 70];

/** Their longest short clause about themselves, from the other side: "you are looking for a quiet flat". */
export function theirClause(said: string): string | null {
  const clauses = plain(said)
    .split(CLAUSE_ENDS)
    .map((clause) => clause.trim())
    .filter((clause) => BEGINS_WITH_THEM.test(clause) && !NAMES_US.test(clause) && isShort(clause));
  const [longest] = clauses.toSorted((one, other) => other.length - one.length);
  return longest === undefined ? null : fromOtherSide(longest);
}

const isShort = (clause: string): boolean => {
  const count = clause.split(/\s+/).length;
  return count >= FEWEST_WORDS && count <= MOST_WORDS && clause.length <= MOST_CHARS;
};

function fromOtherSide(clause: string): string {
  const words = clause.split(/\s+/);
  return words
    .map((word, at) => {
      if (word === 'was' && /^i$/i.test(words[at - 1] ?? '')) return 'were';
      return word === 'you' ? 'me' : (OTHER_SIDE[word.toLowerCase()] ?? word);
    })
    .join(' ');
}

/** Words that stand in every sentence. */
const EVERYWHERE: ReadonlySet<string> = new Set(
  (
    'a an the this that these those it its he she they him her them his their there here and or but so if then than because as at by for ' +
    'from in into of off on out over to up with about after before i me my we us our you your am is are was were be been being do does did ' +
    'have has had can could will would shall should may might must not no yes very just really also only too well much many more most some ' +
    'any all what when where which who why how like want know think say said tell get got go going went come make need let please thank thanks ' +
    'hello hi good morning afternoon evening okay sure maybe one'
  ).split(' '),
);
const [MOST_KEY_WORDS, FEWEST_LETTERS] = [3, 4];

/** The longest run of words that carry their meaning. */
export function keyWords(said: string): string | null {
  const runs: string[][] = [[]];
  for (const word of plain(said).match(/[\p{L}\p{N}'-]+|[^\p{L}\p{N}\s]/gu) ?? []) {
    if (isKeyWord(word)) runs.at(-1)?.push(word);
    else runs.push([]);
  }
  const texts = runs.map((run) => run.slice(-MOST_KEY_WORDS).join(' '));
  // Of two, the later: what is new stands at the end.
  const [longest = ''] = texts.toReversed().toSorted((one, other) => other.length - one.length);
  return longest.length < FEWEST_LETTERS ? null : longest;
}

export const isKeyWord = (word: string): boolean =>
  /^[\p{L}\p{N}]/u.test(word) && !EVERYWHERE.has(word.toLowerCase().replace(/'\p{L}+$/u, ''));

const plain = (said: string): string => said.replace(/[’ʼ]/g, "'");
