/** Merges Azure's phrases for one utterance into one assessment. A score that Azure did not measure is null. */
import {
  type Assessment,
  MIN_WORDS_FOR_PROSODY,
  pronScore,
  roundScore,
  weightedMean,
  type WordAssessment,
} from '@parley/domain';
import { markMiscues } from './mark-miscues.ts';
import type { Segment } from './segment.ts';

/** Names the source of omissions and insertions: Azure, our own comparison with the text, or none because there was no text. */
export type MiscueSource = { by: 'azure' } | { by: 'us'; referenceText: string } | { by: 'none' };

/** A listener notices a silence of this length. The on-device scorer uses the same limit. */
const MIN_PAUSE_MS = 200;

/** For so few words Azure returns a prosody of exactly 0 when it did not measure one. Measured speech never scores that low. */
const MIN_WORDS_FOR_ZERO_PROSODY = 2 * MIN_WORDS_FOR_PROSODY;

const isSpoken = ({ error }: WordAssessment): boolean => error !== 'Omission';
const countSpoken = ({ words }: Segment): number => words.filter(isSpoken).length;

export function toAssessment(
  segments: readonly Segment[],
  recording: { durationMs: number; miscues: MiscueSource },
): Assessment {
  if (segments.length === 0) return silentAssessment(recording.durationMs);
  const spoken = markMonotone(segments);
  const words =
    recording.miscues.by === 'us' ? markMiscues(spoken.filter(isSpoken), recording.miscues.referenceText) : spoken;
  const dimensions = {
    accuracy: mean(segments, ({ accuracy }) => accuracy, countSpoken),
    fluency: mean(segments, ({ fluency }) => fluency, speakingMs),
    prosody: mean(segments, prosodyScore, countSpoken),
    completeness: completenessScore(segments, words, recording.miscues),
  };
  const snrValues = segments.flatMap(({ snrDb }) => snrDb ?? []);
  return {
    source: 'azure',
    durationMs: Math.round(recording.durationMs),
    // The noisiest phrase counts, because it is the one worth telling the learner about.
    snrDb: snrValues.length === 0 ? null : Math.min(...snrValues),
    ...dimensions,
    pron: pronScore(dimensions),
    words: words.slice(0, 2_000),
    pitch: [],
    pauses: pausesBetween(spoken),
  };
}

/** The result when nothing was said, or nothing was recognised. */
export const silentAssessment = (durationMs: number): Assessment => ({
  source: 'azure',
  durationMs: Math.round(durationMs),
  snrDb: null,
  accuracy: null,
  fluency: null,
  prosody: null,
  completeness: null,
  pron: null,
  words: [],
  pitch: [],
  pauses: [],
  unusable: {
    reason: 'silent',
    hint: 'We could not hear you. Check that the right microphone is chosen and not muted, then say it again.',
  },
});

function mean(
  segments: readonly Segment[],
  value: (segment: Segment) => number | null,
  weight: (segment: Segment) => number,
): number | null {
  return weightedMean(segments.map((segment) => ({ value: value(segment), weight: weight(segment) })));
}

function prosodyScore(segment: Segment): number | null {
  const words = countSpoken(segment);
  if (words < MIN_WORDS_FOR_PROSODY) return null;
  return segment.prosody === 0 && words < MIN_WORDS_FOR_ZERO_PROSODY ? null : segment.prosody;
}

/** Measures from the first word to the last. The minimum of 1 keeps a word without a duration in the mean. */
function speakingMs({ words }: Segment): number {
  const spokenWords = words.filter(isSpoken);
  return Math.max(1, (spokenWords.at(-1)?.endMs ?? 0) - (spokenWords[0]?.startMs ?? 0));
}

function completenessScore(
  segments: readonly Segment[],
  words: readonly WordAssessment[],
  { by }: MiscueSource,
): number | null {
  const expectedWords = words.filter(({ error }) => error !== 'Insertion');
  switch (by) {
    case 'azure':
      return mean(segments, ({ completeness }) => completeness, countSpoken);
    case 'us':
      return expectedWords.length === 0
        ? null
        : roundScore((expectedWords.filter(isSpoken).length / expectedWords.length) * 100);
    // "The speaking scenario (the completeness score isn't applicable)": Microsoft Learn, "Use pronunciation assessment".
    case 'none':
      return null;
  }
}

/** A flat melody is one thing to improve, so only the first word of the first monotone phrase is marked. */
function markMonotone(segments: readonly Segment[]): WordAssessment[] {
  const monotoneIndex = segments.findIndex((segment) => segment.isMonotone);
  return segments.flatMap(({ words }, index) => {
    const first = index === monotoneIndex ? words.findIndex(({ error }) => error === 'None') : -1;
    return words.map((word, at): WordAssessment => (at === first ? { ...word, error: 'Monotone' } : word));
  });
}

function pausesBetween(words: readonly WordAssessment[]): Assessment['pauses'] {
  const spokenWords = words.filter(isSpoken);
  return spokenWords.flatMap((word, index) => {
    const before = spokenWords[index - 1];
    if (before === undefined || word.startMs - before.endMs < MIN_PAUSE_MS) return [];
    return { startMs: before.endMs, endMs: word.startMs };
  });
}
