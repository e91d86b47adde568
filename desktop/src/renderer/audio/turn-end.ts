/** When a spoken turn is over by itself: after speech, a silence of the learner's own patience. */

export interface TurnEndState {
  heardSpeech: boolean;
  silentMs: number;
  totalMs: number;
}

export const TURN_BEGIN: TurnEndState = { heardSpeech: false, silentMs: 0, totalMs: 0 };

const SPEECH_LEVEL = 0.015;
/** Long enough to be sure that nothing is heard at all. */
const NOTHING_HEARD_MS = 4_000;

/** Louder than a quiet room. */
export const isSpeech = (level: number): boolean => level >= SPEECH_LEVEL;

export function listenOn(state: TurnEndState, chunk: { level: number; durationMs: number }): TurnEndState {
  const isVoiced = isSpeech(chunk.level);
  return {
    heardSpeech: state.heardSpeech || isVoiced,
    silentMs: isVoiced ? 0 : state.silentMs + chunk.durationMs,
    totalMs: state.totalMs + chunk.durationMs,
  };
}

export const hasEnded = (state: TurnEndState, patienceMs: number | null): boolean =>
  patienceMs !== null && state.heardSpeech && state.silentMs >= patienceMs;

export type RecordingWarning = 'nothing_heard' | 'too_loud';

export function warningFor(state: TurnEndState, peak: number): RecordingWarning | null {
  if (peak >= 0.98) return 'too_loud';
  return !state.heardSpeech && state.totalMs >= NOTHING_HEARD_MS ? 'nothing_heard' : null;
}
