/**
 * What was left out of a text and what was put in, by holding the words that were heard against it. "In continuous mode, the EnableMiscue
 * option is not supported. To obtain Omission and Insertion tags, you need to compare the recognized results with the reference text"
 * (Microsoft Learn, "Use pronunciation assessment").
 */
import type { WordAssessment } from '@parley/domain';
import { asInsertion, unsaidWord } from './segment.ts';

/** Letters and digits, apostrophes between them: punctuation is not said, and a hyphen joins two words. */
const TOKEN = /[\p{L}\p{M}\p{N}]+(?:'[\p{L}\p{M}\p{N}]+)*/gu;
const FIGURE = /\p{N}/u;

const tokensOf = (text: string): string[] => text.replace(/[’ʼ‘]/g, "'").match(TOKEN) ?? [];

interface HeardToken {
  said: string;
  /** Index of the word that it belongs to. */
  word: number;
}

/** From behind one word that fits to the next one, which is the last that is heard of it. */
interface Stretch {
  omitted: string[];
  inserted: HeardToken[];
  fitting: HeardToken[];
}

/** The words that were heard, the added ones marked, with those that were left out where they belong. */
export function withMiscues(heard: readonly WordAssessment[], referenceText: string): WordAssessment[] {
  const tokens = heard.flatMap(({ word }, index) => tokensOf(word).map((said) => ({ said, word: index })));
  const stretches = align(tokensOf(referenceText), tokens).map(withFiguresRead);
  const fitting = new Set(stretches.flatMap((stretch) => stretch.fitting.map(({ word }) => word)));
  const added = new Set(tokens.map(({ word }) => word).filter((word) => !fitting.has(word)));

  const described: WordAssessment[] = [];
  let next = 0;
  for (const { omitted, inserted, fitting } of stretches) {
    // Of a word that was replaced it is told first that it was left out, then what was said for it.
    const atMs = described.at(-1)?.endMs ?? heard[0]?.startMs ?? 0;
    described.push(...omitted.map((word) => unsaidWord(word, atMs)));
    const last = Math.max(next - 1, ...[...inserted, ...fitting].map(({ word }) => word));
    const said = heard.slice(next, last + 1);
    described.push(...said.map((word, index) => (added.has(next + index) ? asInsertion(word) : word)));
    next = last + 1;
  }
  return [...described, ...heard.slice(next)];
}

/** A figure in the text is heard as words: what was said in its place is taken for it. */
function withFiguresRead({ omitted, inserted, fitting }: Stretch): Stretch {
  const isRead = inserted.length > 0 && omitted.some((token) => FIGURE.test(token));
  if (!isRead) return { omitted, inserted, fitting };
  return {
    omitted: omitted.filter((token) => !FIGURE.test(token)),
    inserted: [],
    fitting: [...inserted, ...fitting],
  };
}

/** Along the longest sequence of tokens that both have. Of a word that was begun twice, the last try is the one that counts. */
function align(reference: readonly string[], heard: readonly HeardToken[]): Stretch[] {
  const fits = (at: number, position: number): boolean =>
    reference[at]?.toLowerCase() === heard[position]?.said.toLowerCase();
  const commonFrom = countCommon({ fits, rows: reference.length, columns: heard.length });
  const stretches: Stretch[] = [{ omitted: [], inserted: [], fitting: [] }];
  let at = 0;
  let position = 0;
  while (at < reference.length || position < heard.length) {
    const token = reference[at];
    const said = heard[position];
    const stretch = stretches.at(-1) as Stretch;
    if (said !== undefined && commonFrom(at, position + 1) === commonFrom(at, position)) {
      stretch.inserted.push(said);
      position += 1;
    } else if (said !== undefined && fits(at, position)) {
      stretch.fitting.push(said);
      stretches.push({ omitted: [], inserted: [], fitting: [] });
      at += 1;
      position += 1;
    } else {
      if (token !== undefined) stretch.omitted.push(token);
      at += 1;
    }
  }
  return stretches;
}

/** How many tokens both have in common, in order, from these two places on. */
function countCommon({
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
