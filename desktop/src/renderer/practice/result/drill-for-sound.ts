/** The first bundled drill for each sound that has one; `packages/catalogue/src/drills.ts` lists the drills. */

const FIRST_WORD: Readonly<Record<string, string>> = {
  θ: 'think',
  ð: 'this',
  ɹ: 'really',
  l: 'library',
  v: 'value',
  w: 'always',
  ʃ: 'issue',
  tʃ: 'change',
  dʒ: 'manager',
};

export const drillForSound = (phoneme: string): string | null => FIRST_WORD[phoneme] ?? null;
