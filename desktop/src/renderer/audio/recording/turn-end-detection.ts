/** Detects the end of a turn: silence after speech, as long as the learner's setting or what was said so far demands. */
import type { DeviceSettings, SpeechProgress } from '@parley/contract';

export interface TurnEndState {
  heardSpeech: boolean;
  silentMs: number;
  /** The longest silence between two stretches of speech. */
  longestPauseMs: number;
  totalMs: number;
}

export const INITIAL_TURN_END_STATE: TurnEndState = { heardSpeech: false, silentMs: 0, longestPauseMs: 0, totalMs: 0 };

const SPEECH_LEVEL = 0.015;
/** The silence after which the microphone probably does not work. */
const NOTHING_HEARD_MS = 4_000;

/** Louder than a quiet room. */
export const isSpeech = (level: number): boolean => level >= SPEECH_LEVEL;

export function withChunk(state: TurnEndState, chunk: { level: number; durationMs: number }): TurnEndState {
  const isSpeaking = isSpeech(chunk.level);
  return {
    heardSpeech: state.heardSpeech || isSpeaking,
    longestPauseMs:
      isSpeaking && state.heardSpeech ? Math.max(state.longestPauseMs, state.silentMs) : state.longestPauseMs,
    silentMs: isSpeaking ? 0 : state.silentMs + chunk.durationMs,
    totalMs: state.totalMs + chunk.durationMs,
  };
}

/** The silence that ends a turn in milliseconds, `automatic`, or null when only the button does. */
export type Patience = number | 'automatic' | null;

export const patienceOf = (
  device: Pick<DeviceSettings, 'patienceMs' | 'endsTurnAutomatically'> | undefined,
): Patience =>
  device?.endsTurnAutomatically === true ? (device.patienceMs ?? 'automatic') : (device?.patienceMs ?? null);

/** After a whole expected answer, little more is likely to come. */
const AFTER_WHOLE_TEXT_MS = 1_000;
/** To be cut off while thinking of a word costs a learner more than to wait. */
const SHORTEST_AUTOMATIC_MS = 2_000;
const LONGEST_AUTOMATIC_MS = 4_000;
/** A pause that ends the turn is clearly longer than those in which the learner thought. */
const LONGER_THAN_A_PAUSE = 1.5;

function automaticPatienceMs({ longestPauseMs }: TurnEndState, following: SpeechProgress | null): number {
  if (following !== null && hasSaidAll(following)) return AFTER_WHOLE_TEXT_MS;
  return Math.min(LONGEST_AUTOMATIC_MS, Math.max(SHORTEST_AUTOMATIC_MS, LONGER_THAN_A_PAUSE * longestPauseMs));
}

/** Whether only punctuation is left. */
const hasSaidAll = ({ text, said }: SpeechProgress): boolean => said > 0 && !/[\p{L}\p{N}]/u.test(text.slice(said));

export function hasTurnEnded(state: TurnEndState, patience: Patience, following: SpeechProgress | null): boolean {
  if (patience === null || !state.heardSpeech) return false;
  return state.silentMs >= (patience === 'automatic' ? automaticPatienceMs(state, following) : patience);
}

export type RecordingWarning = 'nothing_heard' | 'too_loud';

export function recordingWarning(state: TurnEndState, peak: number): RecordingWarning | null {
  if (peak >= 0.98) return 'too_loud';
  return !state.heardSpeech && state.totalMs >= NOTHING_HEARD_MS ? 'nothing_heard' : null;
}
