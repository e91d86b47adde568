/** Distinguishes names from other English words by the words that are used in the same way. */
import { meanVector, rankOfWord } from './word-vectors.ts';

const NAMES =
  'john mary david anna maria peter james sarah michael linda thomas robert carlos ahmed smith johnson williams jones miller garcia martin lee chen wang kumar singh ali khan kim taylor baker silva rossi weber nguyen pierre zhang omar emma novak';
const OTHER_WORDS =
  'appointment card business trip holiday football coffee room order delivery book hotel money time table water car dog pain meeting computer problem doctor daughter teacher engineer sunny black monday breakfast price school company music food happy ready blue number office';
/** Names that are used more often as other words. */
const ALSO_NAMES: ReadonlySet<string> = new Set(
  'king park young green white black gray grey cook hope grace rose sandy stone wood woods hill fields bush fox wolf bishop fisher hunter mason price rice day west north banks bell bird brook brooks cross dean field flower ford forest frost gold page pope reed rivers sharp short small snow summers sun waters winter winters wise dawn joy june april autumn ivy lily daisy iris ruby violet chase drew gene guy jean rich skip prince singer potter hall bond cash penny gross horn madison mcdonald hunt knight chelsea sydney wendy amber eve art miles cliff pearl olive melody sunny star duke song fan he long love carpenter major paris london will charity patience mercy honor jewel diamond ginger pepper basil sage laurel cherry crane swan hawk lake pond beach temple priest monk brewer farmer painter piper wales walls best savage queen'.split(
    ' ',
  ),
);
const NEIGHBOURS = 3;

type Vector = Float32Array;
const vectorsOf = (words: string): Vector[] => words.split(' ').flatMap((word) => meanVector([word]) ?? []);
let examples: { names: Vector[]; others: Vector[] } | null = null;

/** The mean similarity to the nearest of these words. */
function nearness(vector: Vector, among: readonly Vector[]): number {
  const similarities = among.map((other) => other.reduce((sum, value, index) => sum + value * (vector[index] ?? 0), 0));
  return (
    similarities
      .toSorted((a, b) => b - a)
      .slice(0, NEIGHBOURS)
      .reduce((sum, similarity) => sum + similarity, 0) / NEIGHBOURS
  );
}

/** Null for an unknown word, as most names are. */
export function isUsedAsName(word: string): boolean | null {
  if (ALSO_NAMES.has(word)) return true;
  const vector = rankOfWord(word) === undefined ? null : meanVector([word]);
  if (vector === null) return null;
  examples ??= { names: vectorsOf(NAMES), others: vectorsOf(OTHER_WORDS) };
  return nearness(vector, examples.names) > nearness(vector, examples.others);
}
