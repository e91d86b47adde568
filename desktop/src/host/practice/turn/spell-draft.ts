/** Spells a drafted word as English is written. The recogniser knows words in lower case only. */

/** “may” and “march” are left out, because they are usually verbs. */
const ALWAYS_CAPITAL = new Set(
  'monday tuesday wednesday thursday friday saturday sunday january february april june july august september october november december english'.split(
    ' ',
  ),
);

/** The names in a practice's texts: words with a capital inside a sentence that are never written without it. */
export function namesIn(texts: readonly string[]): ReadonlySet<string> {
  const names = new Set<string>();
  const others = new Set<string>();
  for (const text of texts)
    for (const [, before = '', word = ''] of text.matchAll(/(^|[.!?…:“"]\s*|[^\p{L}]+)(\p{L}[\p{L}’']*)/gu)) {
      if (word === word.toLowerCase()) others.add(word);
      else if (/^[\s,;–-]+$/.test(before)) names.add(word.toLowerCase());
    }
  return new Set([...names].filter((name) => !others.has(name)));
}

export function spellDraftedWord(word: string, { isFirst, names }: SpellingContext): string {
  if (/^i(?:'|$)/.test(word)) return `I${word.slice(1)}`;
  const [stem = ''] = word.split("'");
  const isCapital = isFirst || ALWAYS_CAPITAL.has(stem) || names.has(stem);
  return isCapital ? `${word.slice(0, 1).toUpperCase()}${word.slice(1)}` : word;
}

interface SpellingContext {
  isFirst: boolean;
  /** In lower case. */
  names: ReadonlySet<string>;
}
