/**
 * A coach that is spoken over falls silent at once, before anybody knows whether it was interrupted, and goes on where it was after an "mm-hm".
 * Where its own voice comes back through the microphone it would fall silent for itself, again and again: there it is only quieter.
 */

export type Manner = 'speaks' | 'silent' | 'quieter';

export interface Yielding {
  manner: Manner;
  voicedMs: number;
  silentMs: number;
  /** Of the sound that made it yield, so far. */
  yieldedToMs: number;
  /** A sound that went on without being an interruption: the room, until it is quiet again. */
  isRoom: boolean;
  /** How often in a row that sound ended as soon as the coach was silent. */
  echoes: number;
}

export const NOT_YIELDING: Yielding = {
  manner: 'speaks',
  voicedMs: 0,
  silentMs: 0,
  yieldedToMs: 0,
  isRoom: false,
  echoes: 0,
};

/** A click or a breath is shorter. */
const YIELDS_FROM_MS = 80;
/** Nobody pauses longer within an "mm-hm". */
const OVER_AFTER_MS = 280;
/** By then whoever speaks is known to interrupt: what goes on for so long, and does not, is a fan or a street. */
const ROOM_FROM_MS = 2_000;
/** What ends this soon was the coach itself: an "mm-hm" lasts 200 ms at least, and a room's echo dies away. */
const ECHO_AT_MOST_MS = 160;
const ECHOES_ARE_NO_CHANCE = 2;

export function yieldTo(
  before: Yielding,
  { isSpeech, durationMs }: { isSpeech: boolean; durationMs: number },
): Yielding {
  const voicedMs = isSpeech ? before.voicedMs + durationMs : 0;
  const silentMs = isSpeech ? 0 : before.silentMs + durationMs;
  const heard = { ...before, voicedMs, silentMs };
  if (before.isRoom) return silentMs < OVER_AFTER_MS ? heard : { ...heard, isRoom: false };
  if (before.manner === 'speaks') {
    if (voicedMs < YIELDS_FROM_MS) return heard;
    const manner = before.echoes >= ECHOES_ARE_NO_CHANCE ? 'quieter' : 'silent';
    return { ...heard, manner, yieldedToMs: voicedMs };
  }
  if (isSpeech) {
    const yieldedToMs = before.yieldedToMs + durationMs;
    if (yieldedToMs < ROOM_FROM_MS) return { ...heard, yieldedToMs };
    return { ...heard, manner: 'speaks', yieldedToMs: 0, isRoom: true };
  }
  if (silentMs < OVER_AFTER_MS) return heard;
  return { ...heard, manner: 'speaks', yieldedToMs: 0, echoes: echoesAfter(before) };
}

/** Once known, an echo stays known: a quieter coach is no proof of its end. */
function echoesAfter({ manner, yieldedToMs, echoes }: Yielding): number {
  if (manner === 'quieter') return echoes;
  return yieldedToMs <= ECHO_AT_MOST_MS ? echoes + 1 : 0;
}

/** When the coach has fallen silent of itself: what is known of the room stays. */
export const speaksAnew = ({ echoes, isRoom }: Yielding): Yielding => ({ ...NOT_YIELDING, echoes, isRoom });
