/**
 * Detects the end of a turn: a silence after speech, whose required length depends on the learner's setting and on what
 * was said so far.
 */
import { type DeviceSettings, MAX_TURN_MS, type SpeechProgress } from '@parley/contract';

export interface TurnEndState {
  /** Whether there has been speech that is longer than a key click or a breath. */
  heardSpeech: boolean;
  /** The amount of speech so far; until it is enough, a silence resets it. */
  speechMs: number;
  silentMs: number;
  /** The longest silence between two spells of speech. */
  longestPauseMs: number;
  totalMs: number;
  /** The time since the last silence that was longer than a gap between words. */
  sinceSilenceMs: number;
  /** How many characters of the expected text the streaming recognition has recognised. */
  said: number;
  /** The loudness of the last seconds, newest last. */
  recent: readonly Loudness[];
}

interface Loudness {
  /** Root mean square, 0-1. */
  level: number;
  durationMs: number;
}

export const INITIAL_TURN_END_STATE: TurnEndState = {
  heardSpeech: false,
  speechMs: 0,
  silentMs: 0,
  longestPauseMs: 0,
  totalMs: 0,
  sinceSilenceMs: 0,
  said: 0,
  recent: [],
};

const SPEECH_LEVEL = 0.015;
/** The level of -42 dBFS, the quietest speech that is scored. */
const QUIETEST_SPEECH_LEVEL = 0.008;
/** Noise is never assumed to be louder than this, so that a turn that begins with speech is not mistaken for noise. */
const LOUDEST_NOISE_THRESHOLD = 0.05;
/** Speech is at least 8 dB above the noise of the room. */
const ABOVE_NOISE = 2.5;
/** Within this time, even a learner who speaks without a pause leaves a gap between two words. */
const NOISE_WINDOW_MS = 10_000;
const MIN_SPEECH_MS = 300;
const GAP_MS = 500;
/** The silence after which the microphone probably does not work. */
const NOTHING_HEARD_MS = 4_000;
/** If there has been no silence for this long, there will probably be none. */
const NO_SILENCE_MS = 20_000;

/** Louder than a quiet room; `level` is a root mean square, 0-1. */
export const isSpeech = (level: number): boolean => level >= SPEECH_LEVEL;

export function withChunk(before: TurnEndState, chunk: Loudness, progress: SpeechProgress | null): TurnEndState {
  const { level, durationMs } = chunk;
  // A microphone that is still starting delivers zeros, which say nothing about the room.
  const isStarting = level === 0 && before.recent.length === 0;
  const recent = isStarting ? before.recent : lastOf([...before.recent, chunk], NOISE_WINDOW_MS);
  const isSpeaking = level >= speechThreshold(recent);
  // The recogniser also follows speech that is too soft for the threshold.
  const said = Math.max(before.said, progress?.said ?? 0);
  const hasFollowed = said > before.said;
  const startsAgain = !before.heardSpeech && before.silentMs >= GAP_MS;
  const speechMs = (startsAgain ? 0 : before.speechMs) + (isSpeaking ? durationMs : 0);
  const silentMs = isSpeaking || hasFollowed ? 0 : before.silentMs + durationMs;
  return {
    heardSpeech: before.heardSpeech || hasFollowed || speechMs >= MIN_SPEECH_MS,
    speechMs,
    longestPauseMs:
      isSpeaking && before.heardSpeech ? Math.max(before.longestPauseMs, before.silentMs) : before.longestPauseMs,
    silentMs,
    totalMs: before.totalMs + durationMs,
    sinceSilenceMs: silentMs >= GAP_MS ? 0 : before.sinceSilenceMs + durationMs,
    said,
    recent,
  };
}

/**
 * The quietest moment of the last seconds counts as background noise, so a fan that starts is recognised as noise after
 * a while.
 */
function speechThreshold(recent: readonly Loudness[]): number {
  const noiseLevel = Math.min(...recent.map(({ level }) => level));
  return Math.min(LOUDEST_NOISE_THRESHOLD, Math.max(QUIETEST_SPEECH_LEVEL, noiseLevel * ABOVE_NOISE));
}

function lastOf(chunks: readonly Loudness[], lengthMs: number): readonly Loudness[] {
  let totalMs = 0;
  const first = chunks.findLastIndex(({ durationMs }) => (totalMs += durationMs) >= lengthMs);
  return first <= 0 ? chunks : chunks.slice(first);
}

/** The silence that ends a turn in milliseconds, `automatic`, or null if only the button does. */
export type Patience = number | 'automatic' | null;

export const patienceOf = (
  device: Pick<DeviceSettings, 'patienceMs' | 'endsTurnAutomatically'> | undefined,
): Patience =>
  device?.endsTurnAutomatically === true ? (device.patienceMs ?? 'automatic') : (device?.patienceMs ?? null);

/** After a whole expected answer, little more is likely to come. */
const AFTER_WHOLE_TEXT_MS = 1_000;
/** For a learner, being cut off while searching for a word is worse than having to wait. */
const SHORTEST_AUTOMATIC_MS = 2_000;
const LONGEST_AUTOMATIC_MS = 4_000;
/** A pause that ends the turn is clearly longer than the learner's pauses for thought. */
const LONGER_THAN_A_PAUSE = 1.5;

function automaticPatienceMs({ longestPauseMs }: TurnEndState, progress: SpeechProgress | null): number {
  if (progress !== null && hasSaidAll(progress)) return AFTER_WHOLE_TEXT_MS;
  return Math.min(LONGEST_AUTOMATIC_MS, Math.max(SHORTEST_AUTOMATIC_MS, LONGER_THAN_A_PAUSE * longestPauseMs));
}

/** Whether only punctuation is left. */
const hasSaidAll = ({ text, said }: SpeechProgress): boolean => said > 0 && !/[\p{L}\p{N}]/u.test(text.slice(said));

export function hasTurnEnded(state: TurnEndState, patience: Patience, progress: SpeechProgress | null): boolean {
  if (patience === null || !state.heardSpeech) return false;
  return state.silentMs >= (patience === 'automatic' ? automaticPatienceMs(state, progress) : patience);
}

export type RecordingWarning = 'nothing_heard' | 'too_loud' | 'no_silence' | 'almost_full';

/** Enough to finish a sentence. */
const ALMOST_FULL_MS = MAX_TURN_MS - 15_000;

export function recordingWarning(state: TurnEndState, peak: number, patience: Patience): RecordingWarning | null {
  if (state.totalMs >= ALMOST_FULL_MS) return 'almost_full';
  if (peak >= 0.98) return 'too_loud';
  if (!state.heardSpeech && state.totalMs >= NOTHING_HEARD_MS) return 'nothing_heard';
  return patience !== null && state.sinceSilenceMs >= NO_SILENCE_MS ? 'no_silence' : null;
}
