/** The minimal pairs that can be told apart, and the midpoint between their two words for a native voice. */
import { readFile } from 'node:fs/promises';
import { z } from 'zod';

const PairFile = z.object({
  pairs: z.array(z.object({ words: z.tuple([z.string(), z.string()]), midpoint: z.number() })),
});

export const PAIRS_FILE = 'pairs.json';

/** Returns the log-odds of the second word at the midpoint, as `compareTexts` measures them; null for a pair that was not measured. */
type PairMidpoint = (first: string, second: string) => number | null;

export async function loadPairMidpoints(file: string): Promise<PairMidpoint> {
  const { pairs } = PairFile.parse(JSON.parse(await readFile(file, 'utf8')));
  const midpointByWords = new Map(
    pairs.flatMap(({ words: [first, second], midpoint }): [string, number][] => [
      [`${first} ${second}`, midpoint],
      [`${second} ${first}`, -midpoint],
    ]),
  );
  return (first, second) => midpointByWords.get(`${first} ${second}`) ?? null;
}
