/** Finds the last try in a recording in which a single word was said more than once. */
import type { Assessment, WordAssessment } from '@parley/domain';
import type { AnalyseSpeech } from '../acoustic/analyse-speech.ts';
import { phoneSequencesOf, textFitPerPhone } from '../align/align.ts';
import type { ExpectedWord } from '../pronounce/pronounce.ts';
import { inspectAudio } from '../signal/inspect.ts';
import { pitchContour } from '../signal/pitch.ts';
import { mergeBreaks } from './breaks.ts';
import { MIN_FIT } from './find-mismatch.ts';
import { findPauses } from './pauses.ts';

/** Longer than the closure of any stop consonant, so that no word is cut in the middle. */
const MIN_PAUSE_MS = 300;
/** More than this are not tries but speech about something else. */
const MAX_PARTS = 8;
const SAMPLES_PER_MS = 16;

interface Try {
  startMs: number;
  pcm: Float32Array;
}

export interface Tries {
  earlier: Try[];
  last: Try;
}

/**
 * The parts between pauses that each contain one of the texts and nothing else. Null if there are fewer than two, or if
 * a text is not a single word; the recording is then assessed as a whole.
 */
export async function findTries(
  pcm: Float32Array,
  texts: readonly (readonly ExpectedWord[])[],
  analyse: AnalyseSpeech,
): Promise<Tries | null> {
  const words = texts.map((text) => text.filter(({ pronunciations }) => pronunciations.length > 0));
  if (words.some(({ length }) => length !== 1)) return null;
  const parts = splitAtPauses(pcm);
  if (parts.length < 2 || parts.length > MAX_PARTS) return null;
  const tries: Try[] = [];
  for (const part of parts) {
    // A try may be quieter than the others. Whether the recording is good enough is decided for the whole of it.
    if (inspectAudio(part.pcm).verdict === 'silent') continue;
    const sequences = phoneSequencesOf((await analyse(part.pcm)).acousticOutput);
    if (words.some((word) => (textFitPerPhone(sequences, word) ?? -Infinity) >= MIN_FIT)) tries.push(part);
  }
  const last = tries.pop();
  return last === undefined || tries.length === 0 ? null : { earlier: tries, last };
}

/** Cuts in the middle of each pause, so that every part is surrounded by room noise. */
function splitAtPauses(pcm: Float32Array): Try[] {
  const cuts = findPauses(pcm)
    .filter(({ startMs, endMs }) => endMs - startMs >= MIN_PAUSE_MS)
    .map(({ startMs, endMs }) => Math.round((startMs + endMs) / 2));
  return [0, ...cuts].map((startMs, index) => ({
    startMs,
    pcm: pcm.subarray(startMs * SAMPLES_PER_MS, (cuts[index] ?? Infinity) * SAMPLES_PER_MS),
  }));
}

/**
 * Extends the assessment of the last try to the whole recording. Earlier tries are inserted speech, as in a sentence,
 * and `earlierWord` is how they are shown.
 */
export function placeLastTry(
  ofLast: Assessment,
  { earlier, last }: Tries,
  { pcm, earlierWord }: { pcm: Float32Array; earlierWord: string },
): Assessment {
  const { durationMs, snrDb } = inspectAudio(pcm);
  const words = ofLast.words.map((word): WordAssessment => ({
    ...shift(word, last.startMs),
    phonemes: word.phonemes.map((phoneme) => shift(phoneme, last.startMs)),
  }));
  return {
    ...ofLast,
    durationMs,
    snrDb,
    words: [...earlier.map((each) => insertionOf(each, earlierWord)), ...words],
    pitch: pitchContour(pcm),
    pauses: mergeBreaks(findPauses(pcm), words),
  };
}

function insertionOf({ startMs, pcm }: Try, word: string): WordAssessment {
  const span = inspectAudio(pcm).speechSpan ?? { startMs: 0, endMs: 0 };
  return { word, ...shift(span, startMs), accuracy: null, error: 'Insertion', phonemes: [] };
}

const shift = <T extends { startMs: number; endMs: number }>(span: T, ms: number): T => ({
  ...span,
  startMs: span.startMs + ms,
  endMs: span.endMs + ms,
});
