/** Which objectives somebody may have reached with what they said, by the words that both share. */
import { isKeyWord } from './pick-up.ts';

export interface StandInProof {
  /** From 1, as they were listed. */
  objective: number;
  words: string;
}

/** They say what to do, and not what about. */
const ACTS: ReadonlySet<string> = new Set(
  (
    'ask give name tell explain describe show offer suggest agree check settle find introduce answer use something somebody ' +
    'sentence sentences politely clearly sincerely example question'
  ).split(' '),
);
/** What people say who do it. */
const ALSO_SAID: ReadonlyMap<string, readonly string[]> = new Map([
  ['apologise', ['sorry']],
  ['greet', ['hello', 'hi']],
  ['thank', ['thanks']],
  ['reason', ['because']],
  ['cause', ['because']],
]);
const ENOUGH_SHARED = 2;
/** A word alone is an odd quote. */
const WORDS_BEHIND = 3;

export function proofsIn(said: string, objectives: readonly string[]): StandInProof[] {
  const words = said.match(/\S+/g) ?? [];
  return objectives.flatMap((objective, index) => {
    const wanted = [...new Set(wordsOf(objective).filter((word) => ALSO_SAID.has(word) || isWanted(word)))];
    const places = wanted.flatMap((word) => {
      const at = words.findIndex((spoken) => wordsOf(spoken).some((one) => isSame(one, word)));
      return at < 0 ? [] : [at];
    });
    if (places.length < Math.max(1, Math.min(ENOUGH_SHARED, wanted.length))) return [];
    const to = places.length === 1 ? Math.max(...places) + WORDS_BEHIND : Math.max(...places);
    return [{ objective: index + 1, words: words.slice(Math.min(...places), to + 1).join(' ') }];
  });
}

const isWanted = (word: string): boolean => isKeyWord(word) && !ACTS.has(word);

const wordsOf = (text: string): string[] => text.toLowerCase().match(/\p{L}{2,}/gu) ?? [];

/** Also in another form: "arrive" and "arrives", "finish" and "finished". */
const isSame = (spoken: string, wanted: string): boolean =>
  stemOf(spoken) === stemOf(wanted) || ALSO_SAID.get(wanted)?.includes(spoken) === true;
const stemOf = (word: string): string => word.replace(/(?:ing|ed|es|s|e)$/, '');
