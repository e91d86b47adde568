/** What a coach is saying in a call. Should the call break off, what was heard of it was said. */
import { type LineHeard, REALTIME_BYTES_A_MS } from '@parley/contract';
import { wordsHeard } from '@parley/domain';

export interface CoachWords {
  began(itemId: string): void;
  said(itemId: string, text: string): void;
  sound(itemId: string, pcm: Uint8Array): void;
  /** Reported by the window that plays it, also when the connection has broken. */
  played(heard: LineHeard): void;
  /** The learner has asked for a moment: nothing is played until it is over. */
  giveMeAMoment(isOn: boolean): void;
  /** Its player stops it, and may still say where. */
  stopped(): void;
  /** The server has told what was heard. */
  ended(itemId: string): void;
  /** Once: what was heard of the utterance that was never ended; empty when there is none. */
  brokeOff(): string;
}

interface Utterance {
  itemId: string;
  text: string;
  audioMs: number;
  /** When it began, had it been played without a stop until now; null before its first sound. */
  startedAtMs: number | null;
  /** How much of it was heard when it fell silent; null while it is played. */
  silentAtMs: number | null;
  /** It is never played on. */
  isStopped: boolean;
}

/** A window that goes away says nothing any more: until it has said otherwise, it plays each utterance as soon as it comes. */
export function createCoachWords(nowMs: () => number): CoachWords {
  let utterance: Utterance | null = null;
  let isMoment = false;
  const of = (itemId: string): Utterance | null => (utterance?.itemId === itemId ? utterance : null);

  function heardMs({ silentAtMs, startedAtMs, audioMs }: Utterance): number {
    if (silentAtMs !== null) return silentAtMs;
    return startedAtMs === null ? 0 : Math.min(audioMs, nowMs() - startedAtMs);
  }

  return {
    began(itemId) {
      const silentAtMs = isMoment ? 0 : null;
      utterance = { itemId, text: '', audioMs: 0, startedAtMs: null, silentAtMs, isStopped: false };
    },
    said(itemId, text) {
      const said = of(itemId);
      if (said !== null) said.text += text;
    },
    sound(itemId, pcm) {
      const sounding = of(itemId);
      if (sounding === null) return;
      sounding.startedAtMs ??= nowMs();
      sounding.audioMs += pcm.byteLength / REALTIME_BYTES_A_MS;
    },
    played({ itemId, audioMs, isHeld }) {
      const heard = of(itemId);
      if (heard === null) return;
      const atMs = Math.min(audioMs, heard.audioMs);
      heard.startedAtMs = nowMs() - atMs;
      heard.silentAtMs = isHeld === true || isMoment || heard.isStopped ? atMs : null;
    },
    giveMeAMoment(isOn) {
      isMoment = isOn;
      if (utterance === null || utterance.isStopped) return;
      const atMs = heardMs(utterance);
      if (utterance.startedAtMs !== null) utterance.startedAtMs = nowMs() - atMs;
      utterance.silentAtMs = isOn ? atMs : null;
    },
    stopped() {
      if (utterance === null) return;
      utterance.silentAtMs = heardMs(utterance);
      utterance.isStopped = true;
    },
    ended(itemId) {
      if (of(itemId) !== null) utterance = null;
    },
    brokeOff() {
      const broken = utterance;
      utterance = null;
      if (broken === null || broken.audioMs === 0) return '';
      return wordsHeard(broken.text, heardMs(broken) / broken.audioMs);
    },
  };
}
