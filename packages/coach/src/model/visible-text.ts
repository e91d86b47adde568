/** Text as a person sees it: without characters that show nothing, and could carry a message past a reader or break a word that is sought. */

/** Controls, private use, lone halves, and all that Unicode lets a reader ignore: zero-width, bidi, tags, selectors, blank letters. */
const INVISIBLE = /[\p{C}\p{Default_Ignorable_Code_Point}]/gu;
const BREAKS = /[\t\n\v\f\r\u2028\u2029]+/g;

/** On one line. */
export const visibleText = (text: string): string =>
  text.replace(BREAKS, ' ').replace(INVISIBLE, '').replace(/\s+/g, ' ').trim();

/** At the beginning of a line: a heading, an item of a list, a quotation. */
const LINE_MARKS = /^[^\S\n]*(#{1,6}|[-+•>]|\*(?!\*))[^\S\n]+/gm;
/** Around words, which are kept. */
const EMPHASIS = /(?<![\p{L}\p{N}_])(_{1,3})(?=\S)([^_\n]+?)(?<=\S)\1(?![\p{L}\p{N}_])/gu;

/** A model's sentence without the marks of Markdown that it could not keep from: it is shown as it is, and read aloud. */
export const plainSentence = (text: string): string =>
  visibleText(text.replace(LINE_MARKS, '').replace(EMPHASIS, '$2').replace(/[*`]/g, ''));

/** Letters of other scripts that look like Latin ones. */
const LOOK_ALIKES: Readonly<Record<string, string>> = {
  а: 'a', с: 'c', ԁ: 'd', е: 'e', һ: 'h', і: 'i', ј: 'j', к: 'k', ӏ: 'l', м: 'm', о: 'o', р: 'p', ѕ: 's', т: 't', у: 'y', ѵ: 'v', ԝ: 'w',
  х: 'x', α: 'a', ε: 'e', ι: 'i', κ: 'k', ν: 'v', ο: 'o', ρ: 'p', τ: 't', υ: 'u', χ: 'x', ı: 'i', ɑ: 'a', ɡ: 'g',
}; // prettier-ignore

/** For finding words in a text whose writer may not want them found; never shown. */
export const plainLetters = (text: string): string =>
  visibleText(text.normalize('NFKD').replace(/\p{M}+/gu, ''))
    .toLowerCase()
    .replace(/[^\p{ASCII}]/gu, (letter) => LOOK_ALIKES[letter] ?? letter);
