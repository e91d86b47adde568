/** Following a voice through one of several texts while it is still speaking. */
import { type AcousticModel, FRAME_MS, sliceHearing } from '../acoustic/acoustic-model.ts';
import { freeLogLikelihood } from '../align/viterbi.ts';
import type { WordToSay } from '../pronounce/pronounce.ts';
import { inspectAudio } from '../signal/inspect.ts';
import { logMel } from '../signal/log-mel.ts';
import { createFollower } from './follow.ts';

export interface Following {
  /** Index of the text that the voice seems to be saying. */
  text: number;
  /** How many of its characters are said. */
  said: number;
}

/** A text that may be said. */
export interface TextToFollow {
  words: readonly WordToSay[];
  /** Where each of the words ends in the text. */
  ends: readonly number[];
}

export interface Listening {
  /** Takes the next samples (16 kHz mono, -1..1); answers where the voice is, null while nobody can tell. */
  push: (pcm: Float32Array) => Promise<Following | null>;
  /** Forgets what was heard. */
  close: () => void;
}

const SAMPLES_A_MS = 16;
/** Often enough for the eye, seldom enough for a slow machine. */
const STEP_MS = 320;
/** What was heard before helps to hear what comes; what comes next is waited for. */
const CONTEXT_MS = 1_600;
/** Up to here everything is heard anew at each step: the first sounds are told better once more of the voice is known. */
const SETTLED_AFTER_MS = 3_000;
const LOOKAHEAD_MS = 160;
const MARGIN_MS = 200;
const TARGET_RMS = 0.05;
/** Words light up only while the best text explains what is heard at least this well: natural log units a second. */
const LOST_BELOW_A_SECOND = -70;

export function createListening(acoustic: AcousticModel, texts: readonly TextToFollow[]): Listening {
  let followers = texts.map(({ words }) => createFollower(words));
  let heard = new Float32Array(0);
  /** Where speech began, and up to where it was followed; milliseconds. */
  let startMs: number | null = null;
  let followedMs = 0;
  let askedMs = 0;
  let free = 0;
  let best: Following | null = null;

  async function followOn(): Promise<void> {
    const endMs = heard.length / SAMPLES_A_MS;
    askedMs = endMs;
    startMs ??= speechStart(heard);
    if (startMs === null) return;
    if (endMs - startMs <= SETTLED_AFTER_MS) {
      followers = texts.map(({ words }) => createFollower(words));
      followedMs = startMs;
      free = 0;
    }
    const fromMs = Math.max(startMs, followedMs - CONTEXT_MS);
    const newFrames = Math.floor((endMs - LOOKAHEAD_MS - followedMs) / FRAME_MS);
    if (newFrames <= 0) return;
    const hearing = await acoustic.run(logMel(levelled(heard.subarray(fromMs * SAMPLES_A_MS))));
    const first = (followedMs - fromMs) / FRAME_MS;
    const { sounds } = sliceHearing(hearing, first, Math.min(hearing.frames, first + newFrames));
    for (const follower of followers) follower.step(sounds);
    free += freeLogLikelihood(sounds);
    followedMs += sounds.frames * FRAME_MS;
    best = bestOf(followedMs - startMs);
  }

  function bestOf(spokenMs: number): Following | null {
    const ranked = followers
      .map((follower, text) => ({ text, ...follower.progress() }))
      .toSorted((a, b) => b.logLikelihood - a.logLikelihood);
    const [first] = ranked;
    if (first === undefined || (first.logLikelihood - free) / (spokenMs / 1000) < LOST_BELOW_A_SECOND) return null;
    const said = first.words === 0 ? 0 : (texts[first.text]?.ends[first.words - 1] ?? 0);
    // What has lit up stays lit while the voice stays with the text.
    return { text: first.text, said: best?.text === first.text ? Math.max(best.said, said) : said };
  }

  let isClosed = false;
  const take = async (pcm: Float32Array): Promise<Following | null> => {
    // What waited its turn while the voice ended is scored as a whole now: the score must not wait for it.
    if (isClosed) return best;
    const longer = new Float32Array(heard.length + pcm.length);
    longer.set(heard);
    longer.set(pcm, heard.length);
    heard = longer;
    if (heard.length / SAMPLES_A_MS - askedMs >= STEP_MS) await followOn();
    return best;
  };
  // One after the other: what is pushed while the last samples are still being heard waits.
  let tail: Promise<Following | null> = Promise.resolve(null);
  return {
    push: (pcm) => {
      tail = tail.then(() => take(pcm));
      return tail;
    },
    close: () => {
      isClosed = true;
      heard = new Float32Array(0);
    },
  };
}

/** A little before the first speech, in whole frames; null while there is none. */
function speechStart(pcm: Float32Array): number | null {
  const { speechSpan, verdict } = inspectAudio(pcm);
  if (speechSpan === null || verdict === 'silent') return null;
  return Math.max(0, speechSpan.startMs - MARGIN_MS);
}

function levelled(pcm: Float32Array): Float32Array {
  const power = pcm.reduce((sum, sample) => sum + sample * sample, 0) / Math.max(1, pcm.length);
  const gain = TARGET_RMS / Math.max(Math.sqrt(power), 1e-5);
  return pcm.map((sample) => sample * gain);
}
