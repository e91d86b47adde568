/** Detects the end of a turn: silence as long as the learner's patience setting, after speech. */

export interface TurnEndState {
  heardSpeech: boolean;
  silentMs: number;
  totalMs: number;
}

export const INITIAL_TURN_END_STATE: TurnEndState = { heardSpeech: false, silentMs: 0, totalMs: 0 };

const SPEECH_LEVEL = 0.015;
/** The silence after which the microphone probably does not work. */
const NOTHING_HEARD_MS = 4_000;

/** Louder than a quiet room. */
export const isSpeech = (level: number): boolean => level >= SPEECH_LEVEL;

export function withChunk(state: TurnEndState, chunk: { level: number; durationMs: number }): TurnEndState {
  const isSpeaking = isSpeech(chunk.level);
  return {
    heardSpeech: state.heardSpeech || isSpeaking,
    silentMs: isSpeaking ? 0 : state.silentMs + chunk.durationMs,
    totalMs: state.totalMs + chunk.durationMs,
  };
}

export const hasTurnEnded = (state: TurnEndState, patienceMs: number | null): boolean =>
  patienceMs !== null && state.heardSpeech && state.silentMs >= patienceMs;

export type RecordingWarning = 'nothing_heard' | 'too_loud';

export function recordingWarning(state: TurnEndState, peak: number): RecordingWarning | null {
  if (peak >= 0.98) return 'too_loud';
  return !state.heardSpeech && state.totalMs >= NOTHING_HEARD_MS ? 'nothing_heard' : null;
}
