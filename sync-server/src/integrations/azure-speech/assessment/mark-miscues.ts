/**
 * Finds omissions and insertions by aligning the recognised words with the text. "In continuous mode, the EnableMiscue option is not
 * supported. To obtain Omission and Insertion tags, you need to compare the recognized results with the reference text" (Microsoft Learn,
 * "Use pronunciation assessment").
 */
import type { WordAssessment } from '@parley/domain';
import { toInsertion, omittedWord } from './segment.ts';

/** Matches letters and digits with apostrophes between them. Punctuation is not spoken, and a hyphen joins two words. */
const TOKEN = /[\p{L}\p{M}\p{N}]+(?:'[\p{L}\p{M}\p{N}]+)*/gu;
const DIGIT = /\p{N}/u;

const tokenize = (text: string): string[] => text.replace(/[’ʼ‘]/g, "'").match(TOKEN) ?? [];

interface SpokenToken {
  said: string;
  /** Index of the word that the token belongs to. */
  word: number;
}

/** The tokens after one matched word, up to and including the next match. */
interface AlignedSpan {
  omitted: string[];
  inserted: SpokenToken[];
  matched: SpokenToken[];
}

/** Returns the recognised words with insertions marked and omitted words in their place. */
export function markMiscues(heard: readonly WordAssessment[], referenceText: string): WordAssessment[] {
  const tokens = heard.flatMap(({ word }, index) => tokenize(word).map((said) => ({ said, word: index })));
  const spans = align(tokenize(referenceText), tokens).map(acceptSpokenNumbers);
  const matched = new Set(spans.flatMap((span) => span.matched.map(({ word }) => word)));
  const insertedWords = new Set(tokens.map(({ word }) => word).filter((word) => !matched.has(word)));

  const marked: WordAssessment[] = [];
  let nextWord = 0;
  for (const { omitted, inserted, matched } of spans) {
    // For a replaced word, the omission comes first, then the word that was said instead.
    const atMs = marked.at(-1)?.endMs ?? heard[0]?.startMs ?? 0;
    marked.push(...omitted.map((word) => omittedWord(word, atMs)));
    const last = Math.max(nextWord - 1, ...[...inserted, ...matched].map(({ word }) => word));
    const said = heard.slice(nextWord, last + 1);
    marked.push(...said.map((word, index) => (insertedWords.has(nextWord + index) ? toInsertion(word) : word)));
    nextWord = last + 1;
  }
  return [...marked, ...heard.slice(nextWord)];
}

/** A number in the text is recognised as words, so the words said in its place count as the number. */
function acceptSpokenNumbers({ omitted, inserted, matched }: AlignedSpan): AlignedSpan {
  const isSpokenNumber = inserted.length > 0 && omitted.some((token) => DIGIT.test(token));
  if (!isSpokenNumber) return { omitted, inserted, matched };
  return {
    omitted: omitted.filter((token) => !DIGIT.test(token)),
    inserted: [],
    matched: [...inserted, ...matched],
  };
}

/** Aligns along the longest common subsequence. When a word is started twice, the last attempt counts. */
function align(reference: readonly string[], heard: readonly SpokenToken[]): AlignedSpan[] {
  const fits = (at: number, position: number): boolean =>
    reference[at]?.toLowerCase() === heard[position]?.said.toLowerCase();
  const commonFrom = longestCommonSubsequence({ fits, rows: reference.length, columns: heard.length });
  const spans: AlignedSpan[] = [{ omitted: [], inserted: [], matched: [] }];
  let at = 0;
  let position = 0;
  while (at < reference.length || position < heard.length) {
    const token = reference[at];
    const said = heard[position];
    const span = spans.at(-1) as AlignedSpan;
    if (said !== undefined && commonFrom(at, position + 1) === commonFrom(at, position)) {
      span.inserted.push(said);
      position += 1;
    } else if (said !== undefined && fits(at, position)) {
      span.matched.push(said);
      spans.push({ omitted: [], inserted: [], matched: [] });
      at += 1;
      position += 1;
    } else {
      if (token !== undefined) span.omitted.push(token);
      at += 1;
    }
  }
  return spans;
}

/** Returns a lookup for the length of the longest common subsequence from two positions onwards. */
function longestCommonSubsequence({
  fits,
  rows,
  columns,
}: {
  fits: (at: number, position: number) => boolean;
  rows: number;
  columns: number;
}): (at: number, position: number) => number {
  const width = columns + 1;
  const counts = new Uint16Array((rows + 1) * width);
  const commonFrom = (at: number, position: number): number => counts[at * width + position] ?? 0;
  for (let at = rows - 1; at >= 0; at -= 1)
    for (let position = columns - 1; position >= 0; position -= 1)
      counts[at * width + position] = fits(at, position)
        ? 1 + commonFrom(at + 1, position + 1)
        : Math.max(commonFrom(at + 1, position), commonFrom(at, position + 1));
  return commonFrom;
}
