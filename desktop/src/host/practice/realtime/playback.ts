/**
 * Tracks how much the learner has heard of the coach's current utterances, so that the heard part can be stored if the
 * session breaks off. Pure: each function returns the next state.
 */
import { type PlaybackPosition, REALTIME_BYTES_PER_MS } from '@parley/contract';
import { estimateHeardText } from '@parley/domain';

interface Utterance {
  itemId: string;
  text: string;
  audioMs: number;
  /** Time at which an uninterrupted playback would have started; null before the first audio. */
  startedAtMs: number | null;
  /** Milliseconds heard when playback stopped; null while it plays. */
  stoppedAtMs: number | null;
  /** Playback never continues after this. */
  isStopped: boolean;
}

/** A closed window reports nothing. Without a report, each utterance counts as played from the moment it arrives. */
export interface Playback {
  /** Utterances whose heard part is not known yet, oldest first. The last one may begin before the one before it has ended. */
  utterances: readonly Utterance[];
  isOnHold: boolean;
}

export const NO_PLAYBACK: Playback = { utterances: [], isOnHold: false };

function heardMs({ stoppedAtMs, startedAtMs, audioMs }: Utterance, nowMs: number): number {
  if (stoppedAtMs !== null) return stoppedAtMs;
  return startedAtMs === null ? 0 : Math.min(audioMs, nowMs - startedAtMs);
}

const change = (playback: Playback, changed: (utterance: Utterance) => Utterance): Playback => ({
  ...playback,
  utterances: playback.utterances.map(changed),
});

const changeOne = (playback: Playback, itemId: string, changed: (utterance: Utterance) => Utterance): Playback =>
  change(playback, (utterance) => (utterance.itemId === itemId ? changed(utterance) : utterance));

export function utteranceStarted(playback: Playback, itemId: string): Playback {
  const stoppedAtMs = playback.isOnHold ? 0 : null;
  const started = { itemId, text: '', audioMs: 0, startedAtMs: null, stoppedAtMs, isStopped: false };
  return { ...playback, utterances: [...playback.utterances, started] };
}

export const textArrived = (playback: Playback, { itemId, text }: { itemId: string; text: string }): Playback =>
  changeOne(playback, itemId, (utterance) => ({ ...utterance, text: utterance.text + text }));

export const audioArrived = (
  playback: Playback,
  { itemId, pcm }: { itemId: string; pcm: Uint8Array },
  nowMs: number,
): Playback =>
  changeOne(playback, itemId, (utterance) => ({
    ...utterance,
    startedAtMs: utterance.startedAtMs ?? nowMs,
    audioMs: utterance.audioMs + pcm.byteLength / REALTIME_BYTES_PER_MS,
  }));

/** The window that plays the audio reports this, even while the server is disconnected. */
export const positionReported = (
  playback: Playback,
  { itemId, audioMs, isHeld }: PlaybackPosition,
  nowMs: number,
): Playback =>
  changeOne(playback, itemId, (utterance) => {
    const atMs = Math.min(audioMs, utterance.audioMs);
    const isPaused = isHeld === true || playback.isOnHold || utterance.isStopped;
    return { ...utterance, startedAtMs: nowMs - atMs, stoppedAtMs: isPaused ? atMs : null };
  });

/** Nothing plays while the coach is on hold. */
export const holdChanged = (playback: Playback, isOnHold: boolean, nowMs: number): Playback =>
  change({ ...playback, isOnHold }, (utterance) => {
    if (utterance.isStopped) return utterance;
    const atMs = heardMs(utterance, nowMs);
    const startedAtMs = utterance.startedAtMs === null ? null : nowMs - atMs;
    return { ...utterance, startedAtMs, stoppedAtMs: isOnHold ? atMs : null };
  });

/** The player has stopped and may still report its position. */
export const playbackStopped = (playback: Playback, nowMs: number): Playback =>
  change(playback, (utterance) => ({ ...utterance, stoppedAtMs: heardMs(utterance, nowMs), isStopped: true }));

/** The server has reported what the learner heard. */
export const utteranceEnded = (playback: Playback, itemId: string): Playback => ({
  ...playback,
  utterances: playback.utterances.filter((utterance) => utterance.itemId !== itemId),
});

const ENDS_SENTENCE = /[.!?…]["'”’)]*$/;

/** Marks a text that breaks off in mid-sentence, so that it does not look as if the coach had spoken that way. */
export const cutOff = (text: string): string =>
  text === '' || ENDS_SENTENCE.test(text) ? text : `${text.replace(/[\s,]+$/, '')} …`;

/** Returns the heard parts of the utterances that did not end; they count as ended afterwards. */
export function takeHeardTexts(playback: Playback, nowMs: number): { texts: string[]; playback: Playback } {
  const texts = playback.utterances
    .filter(({ audioMs }) => audioMs > 0)
    .map((utterance) => estimateHeardText(utterance.text, heardMs(utterance, nowMs) / utterance.audioMs))
    .filter((text) => text !== '')
    .map(cutOff);
  return { texts, playback: { ...playback, utterances: [] } };
}
