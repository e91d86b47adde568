/** Spells a drafted word as English is written. The recogniser knows words in lower case only. */

/** “may” and “march” are left out, because they are usually verbs. */
const ALWAYS_CAPITAL = new Set(
  'monday tuesday wednesday thursday friday saturday sunday january february april june july august september october november december english'.split(
    ' ',
  ),
);

/**
 * The names and abbreviations in a practice's texts, by their lower case: words with a capital inside a sentence that are
 * never written without it.
 */
export function namesIn(texts: readonly string[]): ReadonlyMap<string, string> {
  const names = new Map<string, string>();
  const others = new Set<string>();
  for (const text of texts)
    for (const [, before = '', word = ''] of text.matchAll(/(^|[.!?…:“"]\s*|[^\p{L}]+)(\p{L}[\p{L}’']*)/gu)) {
      if (word === word.toLowerCase()) others.add(word);
      else if (/^[\s,;–-]+$/.test(before)) names.set(word.toLowerCase(), word);
    }
  return new Map([...names].filter(([name]) => !others.has(name)));
}

export function spellDraftedWord(word: string, { isFirst, names }: SpellingContext): string {
  if (/^i(?:'|$)/.test(word)) return `I${word.slice(1)}`;
  const [stem = ''] = word.split("'");
  const name = names.get(stem);
  if (name !== undefined) return `${name}${word.slice(stem.length)}`;
  return isFirst || ALWAYS_CAPITAL.has(stem) ? `${word.slice(0, 1).toUpperCase()}${word.slice(1)}` : word;
}

interface SpellingContext {
  isFirst: boolean;
  names: ReadonlyMap<string, string>;
}
