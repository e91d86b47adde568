/** Joins features into the rows that the tree models read. Must match `training/scorer_rows.py`. */
import type { Alignment } from '../align/align.ts';
import { CONTRAST_FEATURES } from '../contrast/find-rivals.ts';
import type { PronunciationFeatures } from './pronunciation-features.ts';
import type { SequenceFeatures } from './sequence-features.ts';
import { deviation, mean, quantile } from './statistics.ts';

/** On the experts' scale of 0-2 for a phone. */
const WEAK_SCORE = 1.5;

export interface Features {
  placed: PronunciationFeatures;
  sequence: SequenceFeatures;
  /** Rows of `contrastFeatures`, one per phone. */
  contrast: readonly (readonly number[])[];
}

export const phoneRows = ({ placed, sequence, contrast }: Features): number[][] =>
  placed.phones.map((row, index) => [...row, ...(sequence.phones[index] ?? []), ...(contrast[index] ?? [])]);

/** The scores of phones, 0-2 and unrounded, and the log-odds that they were exchanged become part of the rows. */
export function wordRows(
  { placed, sequence, contrast }: Features,
  alignment: Alignment,
  { phoneScores, exchanges }: { phoneScores: readonly number[]; exchanges: readonly number[] },
): number[][] {
  const overall = mean(phoneScores);
  let at = 0;
  return placed.words.map((row, index) => {
    const count = alignment.words[index]?.phones.length ?? 0;
    const own = phoneScores.slice(at, at + count).toSorted((a, b) => a - b);
    const rivals = contrast.slice(at, at + count);
    const exchanged = exchanges.slice(at, at + count);
    at += count;
    return [
      ...row,
      ...(sequence.words[index] ?? []),
      ...Array.from({ length: CONTRAST_FEATURES }, (_, column) => Math.max(...rivals.map((each) => each[column] ?? 0))),
      mean(own),
      own[0] ?? 0,
      overall,
      mean(own.slice(0, 2)),
      Math.max(...exchanged),
    ];
  });
}

/** `phoneScores` are 0-2 and unrounded. */
export function utteranceRow({ placed }: Features, phoneScores: readonly number[]): number[] {
  const sorted = phoneScores.toSorted((a, b) => a - b);
  return [
    ...placed.utterance,
    mean(sorted),
    sorted[0] ?? 0,
    quantile(sorted, 0.1),
    quantile(sorted, 0.3),
    sorted.filter((score) => score < WEAK_SCORE).length / Math.max(1, sorted.length),
    deviation(sorted),
  ];
}
