/**
 * Aligns two voices that say the same text on one time axis: each word begins at the same position for both, and time
 * runs equally fast.
 */
import { listedSpelling } from '../learning/word-attempt.ts';
import type { Assessment, WordAssessment } from './assessment.ts';

/** One voice saying a text. */
export type VoiceTrack = Pick<Assessment, 'durationMs' | 'words' | 'pitch'>;

interface Span {
  startMs: number;
  endMs: number;
}

/** A section of a recording, and its position on the axis. */
export interface TrackSegment {
  fromMs: number;
  toMs: number;
  axisMs: number;
}

export interface AlignedWord {
  word: string;
  /** The position on the axis and the width that the longer voice needs there, including the silence after the word. */
  axisMs: number;
  lengthMs: number;
  /** The section in each recording; null if the voice left the word out. */
  model: Span | null;
  own: Span | null;
}

export interface VoiceAlignment {
  lengthMs: number;
  words: AlignedWord[];
  model: TrackSegment[];
  own: TrackSegment[];
}

/** The audio shown before the first word and after the last. */
const MARGIN_MS = 120;

const isAsked = ({ error }: WordAssessment): boolean => error !== 'Insertion';

export const isSpokenWord = ({ error, startMs, endMs }: WordAssessment): boolean =>
  error !== 'Omission' && error !== 'Insertion' && endMs > startMs;

/** Pairs the words of two readings of one text, in order. A word of only one reading has null for the other. */
export function pairWords(
  model: readonly WordAssessment[],
  own: readonly WordAssessment[],
): { model: WordAssessment | null; own: WordAssessment | null }[] {
  const [left, right] = [model.filter(isAsked), own.filter(isAsked)];
  // The longest common subsequence, computed from the end (Wagner and Fischer, 1974).
  const lengths = Array.from({ length: left.length + 1 }, () => new Uint16Array(right.length + 1));
  const isSame = (i: number, j: number): boolean =>
    listedSpelling(left[i]?.word ?? '') === listedSpelling(right[j]?.word ?? '');
  const lengthAt = (i: number, j: number): number => lengths[i]?.[j] ?? 0;
  for (let i = left.length - 1; i >= 0; i -= 1) {
    const row = lengths[i];
    for (let j = right.length - 1; row !== undefined && j >= 0; j -= 1)
      row[j] = isSame(i, j) ? lengthAt(i + 1, j + 1) + 1 : Math.max(lengthAt(i + 1, j), lengthAt(i, j + 1));
  }
  const pairs: ReturnType<typeof pairWords> = [];
  let [i, j] = [0, 0];
  while (i < left.length || j < right.length) {
    const isPair = i < left.length && j < right.length && isSame(i, j);
    const takesModel = isPair || j >= right.length || (i < left.length && lengthAt(i + 1, j) >= lengthAt(i, j + 1));
    const takesOwn = isPair || !takesModel;
    pairs.push({ model: takesModel ? (left[i] ?? null) : null, own: takesOwn ? (right[j] ?? null) : null });
    if (takesModel) i += 1;
    if (takesOwn) j += 1;
  }
  return pairs;
}

/** The section from each spoken word to the next, by position in the list; the last one ends shortly after its word. */
function stretchesOf(words: readonly (WordAssessment | null)[], durationMs: number): (Span | null)[] {
  const spoken = words.map((word) => (word !== null && isSpokenWord(word) ? word : null));
  return spoken.map((word, index) => {
    if (word === null) return null;
    const next = spoken.slice(index + 1).find((later) => later !== null);
    const endMs = next?.startMs ?? Math.min(durationMs, word.endMs + MARGIN_MS);
    return { startMs: word.startMs, endMs: Math.max(endMs, word.startMs) };
  });
}

const lengthOf = (span: Span | null): number => (span === null ? 0 : span.endMs - span.startMs);
const wordSpan = (word: WordAssessment | null): Span | null =>
  word !== null && isSpokenWord(word) ? { startMs: word.startMs, endMs: word.endMs } : null;

/** Without a recording of the learner, the axis is the model's alone. */
export function alignVoices(model: VoiceTrack, own: VoiceTrack | null): VoiceAlignment {
  const pairs = pairWords(model.words, own?.words ?? []);
  const stretches = {
    model: stretchesOf(
      pairs.map((pair) => pair.model),
      model.durationMs,
    ),
    own: stretchesOf(
      pairs.map((pair) => pair.own),
      own?.durationMs ?? 0,
    ),
  };
  const alignment: VoiceAlignment = { lengthMs: 0, words: [], model: [], own: [] };
  let axisMs = MARGIN_MS;
  pairs.forEach((pair, index) => {
    const both = { model: stretches.model[index] ?? null, own: stretches.own[index] ?? null };
    const lengthMs = Math.max(lengthOf(both.model), lengthOf(both.own));
    for (const side of ['model', 'own'] as const) {
      const span = both[side];
      if (span === null) continue;
      const lead = alignment[side].length === 0 ? Math.min(MARGIN_MS, span.startMs) : 0;
      alignment[side].push({ fromMs: span.startMs - lead, toMs: span.endMs, axisMs: axisMs - lead });
    }
    const word = pair.model?.word ?? pair.own?.word ?? '';
    alignment.words.push({ word, axisMs, lengthMs, model: wordSpan(pair.model), own: wordSpan(pair.own) });
    axisMs += lengthMs;
  });
  return { ...alignment, lengthMs: axisMs };
}
