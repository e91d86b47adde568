/**
 * Which of several edits wins, by the documented rule: later hybrid time; no later than the server's clock plus a minute; ties by
 * device, which the hybrid time ends in. The harness knows only between which moments a change arrived, so a clamped time is
 * an interval, and where intervals of two devices overlap, either may have won: then both are allowed, and nothing else is.
 */
import type { Change } from './change.ts';

const CLAMP_MS = 60_000;
const MS_DIGITS = 13;
const LAST_COUNTER = 'ffff';

export interface Write {
  change: Change;
  value: unknown;
  isSure: boolean;
}

const clampedAt = (ms: number, device: string): string =>
  `${String(ms + CLAMP_MS).padStart(MS_DIGITS, '0')}-${LAST_COUNTER}-${device}`;

const earlier = (a: string, b: string): string => (a < b ? a : b);

function intervalOf({ at, device, madeMs, settledMs }: Change, endMs: number): { first: string; last: string } {
  // A change whose time nobody knows may stand anywhere.
  if (at === null) return { first: '', last: '~' };
  return {
    first: earlier(at, clampedAt(madeMs, device)),
    last: earlier(at, clampedAt(settledMs ?? endMs, device)),
  };
}

/** Whether `a` replaces `b` however the two arrived. */
function surelyReplaces(a: Change, b: Change, endMs: number): boolean {
  // A device sends in order, and equal times of one device go to the one that arrives last.
  if (a.device === b.device && a.at !== null && b.at !== null) {
    if (a.at === b.at) return a.order > b.order;
    if (a.at > b.at && a.order > b.order) return true;
  }
  return intervalOf(a, endMs).first > intervalOf(b, endMs).last;
}

/** The writes of which one must have won; `undefined` among them: perhaps none has arrived. */
export function possibleWinners(writes: readonly Write[], endMs: number): (Write | undefined)[] {
  const sure = writes.filter(({ isSure }) => isSure);
  const left = writes.filter((write) =>
    sure.every((rival) => rival === write || !surelyReplaces(rival.change, write.change, endMs)),
  );
  return sure.length > 0 ? left : [...left, undefined];
}
