/**
 * Finds Markdown that no person would write and that overwhelms parsers: a parser recurses for each quote or list
 * inside another, and compares each emphasis mark with all others in its block, and each part of a word that may be an
 * address with all others.
 */
const MAX_QUOTES_AND_LISTS = 20;
const MAX_EMPHASIS_PER_BLOCK = 1_000;
const MAX_EMPHASIS = 10_000;
const MAX_WORD_CHARACTERS = 2_000;

const QUOTES_AND_LISTS = new RegExp(
  String.raw`^(?:[ \t]*(?:>|[-*+](?=[ \t])|\d{1,9}[.)](?=[ \t]))){${MAX_QUOTES_AND_LISTS + 1}}`,
  'm',
);
/** In languages without spaces, long words contain no addresses. */
const BETWEEN_ASCII_WORDS = /[^!-~]+/;
const countEmphasis = (text: string): number => text.match(/[*_~]+/g)?.length ?? 0;

export const isMarkdownTooComplex = (text: string): boolean =>
  QUOTES_AND_LISTS.test(text) ||
  countEmphasis(text) > MAX_EMPHASIS ||
  text.split(BETWEEN_ASCII_WORDS).some((word) => word.length > MAX_WORD_CHARACTERS) ||
  text.split(/\n[ \t]*\n/).some((block) => countEmphasis(block) > MAX_EMPHASIS_PER_BLOCK);
