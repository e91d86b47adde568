/** What a coach is saying on the line: should it break, what was heard of it was said. */
import { type LineHeard, REALTIME_BYTES_A_MS } from '@parley/contract';
import { wordsHeard } from '@parley/domain';

export interface CoachWords {
  began(itemId: string): void;
  said(itemId: string, text: string): void;
  sound(itemId: string, pcm: Uint8Array): void;
  /** By whoever plays it, also when the line has broken. */
  played(heard: LineHeard): void;
  /** The server has told what was heard. */
  ended(itemId: string): void;
  /** Once: what was heard of the line that was never ended; empty where there is none. */
  brokeOff(): string;
}

export function createCoachWords(): CoachWords {
  let line: { itemId: string; text: string; audioMs: number; heardMs: number } | null = null;
  const of = (itemId: string) => (line?.itemId === itemId ? line : null);
  return {
    began(itemId) {
      line = { itemId, text: '', audioMs: 0, heardMs: 0 };
    },
    said(itemId, text) {
      const said = of(itemId);
      if (said !== null) said.text += text;
    },
    sound(itemId, pcm) {
      const sounding = of(itemId);
      if (sounding !== null) sounding.audioMs += pcm.byteLength / REALTIME_BYTES_A_MS;
    },
    played({ itemId, audioMs }) {
      const heard = of(itemId);
      if (heard !== null) heard.heardMs = audioMs;
    },
    ended(itemId) {
      if (of(itemId) !== null) line = null;
    },
    brokeOff() {
      const broken = line;
      line = null;
      return broken === null || broken.audioMs === 0 ? '' : wordsHeard(broken.text, broken.heardMs / broken.audioMs);
    },
  };
}
