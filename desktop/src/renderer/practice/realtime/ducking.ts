/**
 * Decides when the coach's voice is ducked. It falls silent as soon as the learner speaks and resumes after an "mm-hm".
 * If the microphone picks up the coach's own voice, the coach would silence itself repeatedly, so it is only made
 * quieter.
 */

export type CoachVolume = 'speaks' | 'silent' | 'quieter';

export interface DuckingState {
  volume: CoachVolume;
  voicedMs: number;
  silentMs: number;
  /** The length so far of the sound that caused the ducking. */
  overlapMs: number;
  /** A continuous sound that was no interruption counts as background noise until it stops. */
  isBackgroundNoise: boolean;
  /** How many times in a row the sound ended as soon as the coach was silent. */
  echoCount: number;
}

export const NOT_DUCKED: DuckingState = {
  volume: 'speaks',
  voicedMs: 0,
  silentMs: 0,
  overlapMs: 0,
  isBackgroundNoise: false,
  echoCount: 0,
};

/** Longer than a click or a breath. */
const MIN_SPEECH_MS = 80;
/** Longer than a pause within an "mm-hm". */
const SPEECH_END_SILENCE_MS = 280;
/** An interruption has been recognised by then; a longer sound that is not one is a fan or a street. */
const BACKGROUND_NOISE_FROM_MS = 2_000;
/** A sound that ends this soon was the coach's echo: an "mm-hm" lasts at least 200 ms. */
const MAX_ECHO_MS = 160;
const ECHOES_UNTIL_CERTAIN = 2;

export function nextDuckingState(
  before: DuckingState,
  { isSpeech, durationMs }: { isSpeech: boolean; durationMs: number },
): DuckingState {
  const voicedMs = isSpeech ? before.voicedMs + durationMs : 0;
  const silentMs = isSpeech ? 0 : before.silentMs + durationMs;
  const next = { ...before, voicedMs, silentMs };
  if (before.isBackgroundNoise) return silentMs < SPEECH_END_SILENCE_MS ? next : { ...next, isBackgroundNoise: false };
  if (before.volume === 'speaks') {
    if (voicedMs < MIN_SPEECH_MS) return next;
    const volume = before.echoCount >= ECHOES_UNTIL_CERTAIN ? 'quieter' : 'silent';
    return { ...next, volume, overlapMs: voicedMs };
  }
  if (isSpeech) {
    const overlapMs = before.overlapMs + durationMs;
    if (overlapMs < BACKGROUND_NOISE_FROM_MS) return { ...next, overlapMs };
    return { ...next, volume: 'speaks', overlapMs: 0, isBackgroundNoise: true };
  }
  if (silentMs < SPEECH_END_SILENCE_MS) return next;
  return { ...next, volume: 'speaks', overlapMs: 0, echoCount: countEchoes(before) };
}

/** Ducking to a lower volume does not prove that the echo is gone, so the count is kept. */
function countEchoes({ volume, overlapMs, echoCount }: DuckingState): number {
  if (volume === 'quieter') return echoCount;
  return overlapMs <= MAX_ECHO_MS ? echoCount + 1 : 0;
}

/** The state for the coach's next utterance; what is known about the room is kept. */
export const afterCoachTurn = ({ echoCount, isBackgroundNoise }: DuckingState): DuckingState => ({
  ...NOT_DUCKED,
  echoCount,
  isBackgroundNoise,
});
