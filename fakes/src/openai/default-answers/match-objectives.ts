/** Finds objectives that the learner may have reached, by shared words. */
import { isKeyWord } from './echo-learner.ts';

export interface DefaultProof {
  /** 1-based position in the list of objectives. */
  objective: number;
  words: string;
}

/** These words say what to do and not what it is about. */
const INSTRUCTION_WORDS: ReadonlySet<string> = new Set(
  (
    'ask give name tell explain describe show offer suggest agree check settle find introduce answer use something somebody ' +
    'sentence sentences politely clearly sincerely example question'
  ).split(' '),
);
/** Words that learners use to fulfil these verbs. */
const SYNONYMS: ReadonlyMap<string, readonly string[]> = new Map([
  ['apologise', ['sorry']],
  ['greet', ['hello', 'hi']],
  ['thank', ['thanks']],
  ['reason', ['because']],
  ['cause', ['because']],
]);
const MIN_SHARED_WORDS = 2;
/** A single word makes an odd quote, so a few words follow it. */
const QUOTE_CONTEXT_WORDS = 3;

export function matchObjectives(said: string, objectives: readonly string[]): DefaultProof[] {
  const words = said.match(/\S+/g) ?? [];
  return objectives.flatMap((objective, index) => {
    const keyWords = [...new Set(toWords(objective).filter((word) => SYNONYMS.has(word) || isContentWord(word)))];
    const places = keyWords.flatMap((word) => {
      const at = words.findIndex((spoken) => toWords(spoken).some((one) => isSameWord(one, word)));
      return at < 0 ? [] : [at];
    });
    if (places.length < Math.max(1, Math.min(MIN_SHARED_WORDS, keyWords.length))) return [];
    const to = places.length === 1 ? Math.max(...places) + QUOTE_CONTEXT_WORDS : Math.max(...places);
    return [{ objective: index + 1, words: words.slice(Math.min(...places), to + 1).join(' ') }];
  });
}

const isContentWord = (word: string): boolean => isKeyWord(word) && !INSTRUCTION_WORDS.has(word);

const toWords = (text: string): string[] => text.toLowerCase().match(/\p{L}{2,}/gu) ?? [];

/** Treats inflected forms as equal: "arrive" and "arrives", "finish" and "finished". */
const isSameWord = (spoken: string, keyWords: string): boolean =>
  toStem(spoken) === toStem(keyWords) || SYNONYMS.get(keyWords)?.includes(spoken) === true;
const toStem = (word: string): string => word.replace(/(?:ing|ed|es|s|e)$/, '');
