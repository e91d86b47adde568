/** What Azure said of an utterance, in one phrase or in several, as one assessment. What it did not measure is null. */
import {
  type Assessment,
  MIN_WORDS_FOR_PROSODY,
  pronScore,
  roundScore,
  weightedMean,
  type WordAssessment,
} from '@parley/domain';
import { withMiscues } from './miscue.ts';
import type { Segment } from './segment.ts';

/** Who found what was left out: Azure, we ourselves against the text, or nobody as there was no text. */
export type Miscues = { by: 'azure' } | { by: 'us'; referenceText: string } | { by: 'nobody' };

/** A listener notices a silence of this length; the device's scorer counts from the same. */
const MIN_PAUSE_MS = 200;

/** On so few words Azure gives a prosody of exactly 0 where it did not measure one; a voice that was measured is never that bad. */
const ZERO_PROSODY_IS_NONE_BELOW_WORDS = 2 * MIN_WORDS_FOR_PROSODY;

const isSaid = ({ error }: WordAssessment): boolean => error !== 'Omission';
const countSaid = ({ words }: Segment): number => words.filter(isSaid).length;

export function assessmentOf(
  segments: readonly Segment[],
  heard: { durationMs: number; miscues: Miscues },
): Assessment {
  if (segments.length === 0) return silent(heard.durationMs);
  const spoken = markMonotone(segments);
  const words = heard.miscues.by === 'us' ? withMiscues(spoken.filter(isSaid), heard.miscues.referenceText) : spoken;
  const dimensions = {
    accuracy: mean(segments, ({ accuracy }) => accuracy, countSaid),
    fluency: mean(segments, ({ fluency }) => fluency, speakingMs),
    prosody: mean(segments, prosodyOf, countSaid),
    completeness: completenessOf(segments, words, heard.miscues),
  };
  const loudness = segments.flatMap(({ snrDb }) => snrDb ?? []);
  return {
    source: 'azure',
    durationMs: Math.round(heard.durationMs),
    // The noisiest phrase is the one that a learner should hear of.
    snrDb: loudness.length === 0 ? null : Math.min(...loudness),
    ...dimensions,
    pron: pronScore(dimensions),
    words: words.slice(0, 2_000),
    pitch: [],
    pauses: pausesBetween(spoken),
  };
}

/** Nothing was said, or nothing that anyone could make out. */
export const silent = (durationMs: number): Assessment => ({
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

function prosodyOf(segment: Segment): number | null {
  const words = countSaid(segment);
  if (words < MIN_WORDS_FOR_PROSODY) return null;
  return segment.prosody === 0 && words < ZERO_PROSODY_IS_NONE_BELOW_WORDS ? null : segment.prosody;
}

/** From the first word to the last; at least a little, so that a word without a length still counts. */
function speakingMs({ words }: Segment): number {
  const said = words.filter(isSaid);
  return Math.max(1, (said.at(-1)?.endMs ?? 0) - (said[0]?.startMs ?? 0));
}

function completenessOf(
  segments: readonly Segment[],
  words: readonly WordAssessment[],
  { by }: Miscues,
): number | null {
  const asked = words.filter(({ error }) => error !== 'Insertion');
  switch (by) {
    case 'azure':
      return mean(segments, ({ completeness }) => completeness, countSaid);
    case 'us':
      return asked.length === 0 ? null : roundScore((asked.filter(isSaid).length / asked.length) * 100);
    // "The speaking scenario (the completeness score isn't applicable)": Microsoft Learn, "Use pronunciation assessment".
    case 'nobody':
      return null;
  }
}

/** A flat melody is one thing to change, not as many as there are words: it is marked where it begins, once. */
function markMonotone(segments: readonly Segment[]): WordAssessment[] {
  const flat = segments.findIndex((segment) => segment.isMonotone);
  return segments.flatMap(({ words }, index) => {
    const first = index === flat ? words.findIndex(({ error }) => error === 'None') : -1;
    return words.map((word, at): WordAssessment => (at === first ? { ...word, error: 'Monotone' } : word));
  });
}

function pausesBetween(words: readonly WordAssessment[]): Assessment['pauses'] {
  const said = words.filter(isSaid);
  return said.flatMap((word, index) => {
    const before = said[index - 1];
    if (before === undefined || word.startMs - before.endMs < MIN_PAUSE_MS) return [];
    return { startMs: before.endMs, endMs: word.startMs };
  });
}
