/**
 * Normalises text to what a person can see: invisible characters could hide a message from a reader or break up a word that is searched
 * for.
 */

/**
 * Control characters, private use, unpaired surrogates, and everything Unicode marks as ignorable: zero-width, bidi, tags, selectors and
 * blank letters.
 */
const INVISIBLE = /[\p{C}\p{Default_Ignorable_Code_Point}]/gu;
const BREAKS = /[\t\n\v\f\r\u2028\u2029]+/g;

/** Returns the text on one line. */
export const visibleText = (text: string): string =>
  text.replace(BREAKS, ' ').replace(INVISIBLE, '').replace(/\s+/g, ' ').trim();

/** Markdown at the start of a line: headings, list items and quotations. */
const LINE_MARKS = /^[^\S\n]*(#{1,6}|[-+•>]|\*(?!\*))[^\S\n]+/gm;
/** The emphasised words are kept. */
const EMPHASIS = /(?<![\p{L}\p{N}_])(_{1,3})(?=\S)([^_\n]+?)(?<=\S)\1(?![\p{L}\p{N}_])/gu;

/** Removes Markdown from a model's sentence, which is shown as plain text and read aloud. */
export const stripMarkdown = (text: string): string =>
  visibleText(text.replace(LINE_MARKS, '').replace(EMPHASIS, '$2').replace(/[*`]/g, ''));

/** Letters of other scripts that look like Latin ones. */
const LATIN_BY_LOOK_ALIKE: Readonly<Record<string, string>> = {
  а: 'a', с: 'c', ԁ: 'd', е: 'e', һ: 'h', і: 'i', ј: 'j', к: 'k', ӏ: 'l', м: 'm', о: 'o', р: 'p', ѕ: 's', т: 't', у: 'y', ѵ: 'v', ԝ: 'w',
  х: 'x', α: 'a', ε: 'e', ι: 'i', κ: 'k', ν: 'v', ο: 'o', ρ: 'p', τ: 't', υ: 'u', χ: 'x', ı: 'i', ɑ: 'a', ɡ: 'g',
}; // prettier-ignore

/** Normalises text for matching when its writer may try to evade it. The result is never shown. */
export const foldForMatching = (text: string): string =>
  visibleText(text.normalize('NFKD').replace(/\p{M}+/gu, ''))
    .toLowerCase()
    .replace(/[^\p{ASCII}]/gu, (letter) => LATIN_BY_LOOK_ALIKE[letter] ?? letter);
