/** Streaming recognition: tracks which of several texts a speaker is saying, and how far they have come. */
import { type AcousticModel, FRAME_MS, sliceAcousticOutput } from '../acoustic/acoustic-model.ts';
import { unconstrainedLogLikelihood } from '../align/viterbi.ts';
import type { ExpectedWord } from '../pronounce/pronounce.ts';
import { inspectAudio } from '../signal/inspect.ts';
import { logMel } from '../signal/log-mel.ts';
import { createProgressTracker } from './progress-tracker.ts';

export interface RecognitionProgress {
  /** Index of the text that is probably being spoken. */
  text: number;
  /** How many of its characters have been spoken. */
  spokenCharacters: number;
}

/** A text that may be spoken. */
export interface ExpectedText {
  words: readonly ExpectedWord[];
  /** The end offset of each word in the text. */
  ends: readonly number[];
}

export interface RecognitionStream {
  /** Processes the next samples (16 kHz mono, -1..1) and returns the current position, or null while it is unknown. */
  push: (pcm: Float32Array) => Promise<RecognitionProgress | null>;
  /** Releases the buffered audio. */
  close: () => void;
}

const SAMPLES_PER_MS = 16;
/** Frequent enough to look continuous, and rare enough for a slow computer. */
const STEP_MS = 320;
/** Recognition uses this much preceding audio, and waits for the look-ahead that follows. */
const CONTEXT_MS = 1_600;
/** Until this point, each step recomputes everything, because early sounds are recognised better with more context. */
const SETTLED_AFTER_MS = 3_000;
const LOOKAHEAD_MS = 160;
const MARGIN_MS = 200;
const TARGET_RMS = 0.05;
/** Words are marked as spoken only while the best text explains the audio at least this well, in nats per second. */
const MIN_FIT_PER_SECOND = -70;

export function createRecognitionStream(acoustic: AcousticModel, texts: readonly ExpectedText[]): RecognitionStream {
  let trackers = texts.map(({ words }) => createProgressTracker(words));
  let buffer = new Float32Array(0);
  /** The start of speech and the end of the processed audio, in milliseconds. */
  let startMs: number | null = null;
  let processedMs = 0;
  let checkedMs = 0;
  let unconstrained = 0;
  let best: RecognitionProgress | null = null;

  async function processNext(): Promise<void> {
    const endMs = buffer.length / SAMPLES_PER_MS;
    checkedMs = endMs;
    startMs ??= speechStart(buffer);
    if (startMs === null) return;
    if (endMs - startMs <= SETTLED_AFTER_MS) {
      trackers = texts.map(({ words }) => createProgressTracker(words));
      processedMs = startMs;
      unconstrained = 0;
    }
    const fromMs = Math.max(startMs, processedMs - CONTEXT_MS);
    const newFrames = Math.floor((endMs - LOOKAHEAD_MS - processedMs) / FRAME_MS);
    if (newFrames <= 0) return;
    const acousticOutput = await acoustic.run(logMel(normaliseLevel(buffer.subarray(fromMs * SAMPLES_PER_MS))));
    const first = (processedMs - fromMs) / FRAME_MS;
    const { sounds } = sliceAcousticOutput(acousticOutput, first, Math.min(acousticOutput.frames, first + newFrames));
    for (const follower of trackers) follower.step(sounds);
    unconstrained += unconstrainedLogLikelihood(sounds);
    processedMs += sounds.frames * FRAME_MS;
    best = selectBest(processedMs - startMs);
  }

  function selectBest(spokenMs: number): RecognitionProgress | null {
    const ranked = trackers
      .map((follower, text) => ({ text, ...follower.progress() }))
      .toSorted((a, b) => b.logLikelihood - a.logLikelihood);
    const [first] = ranked;
    if (first === undefined || (first.logLikelihood - unconstrained) / (spokenMs / 1000) < MIN_FIT_PER_SECOND)
      return null;
    const said = first.words === 0 ? 0 : (texts[first.text]?.ends[first.words - 1] ?? 0);
    // Progress never goes back while the speaker stays with the same text.
    return {
      text: first.text,
      spokenCharacters: best?.text === first.text ? Math.max(best.spokenCharacters, said) : said,
    };
  }

  let isClosed = false;
  const process = async (pcm: Float32Array): Promise<RecognitionProgress | null> => {
    // After the end of speech, the whole recording is scored, which must not wait for queued samples.
    if (isClosed) return best;
    const longer = new Float32Array(buffer.length + pcm.length);
    longer.set(buffer);
    longer.set(pcm, buffer.length);
    buffer = longer;
    if (buffer.length / SAMPLES_PER_MS - checkedMs >= STEP_MS) await processNext();
    return best;
  };
  // Pushes are processed in order; a push during processing waits.
  let queue: Promise<RecognitionProgress | null> = Promise.resolve(null);
  return {
    push: (pcm) => {
      queue = queue.then(() => process(pcm));
      return queue;
    },
    close: () => {
      isClosed = true;
      buffer = new Float32Array(0);
    },
  };
}

/** The start of speech with a margin, in whole frames; null when there is none. */
function speechStart(pcm: Float32Array): number | null {
  const { speechSpan, verdict } = inspectAudio(pcm);
  if (speechSpan === null || verdict === 'silent') return null;
  return Math.max(0, speechSpan.startMs - MARGIN_MS);
}

function normaliseLevel(pcm: Float32Array): Float32Array {
  const power = pcm.reduce((sum, sample) => sum + sample * sample, 0) / Math.max(1, pcm.length);
  const gain = TARGET_RMS / Math.max(Math.sqrt(power), 1e-5);
  return pcm.map((sample) => sample * gain);
}
