/**
 * A hybrid logical clock orders edits of one field by several devices: by wall time, then a counter, then the device id. Source: Kulkarni
 * et al., "Logical Physical Clocks" (2014). The functions are pure: the caller passes in the wall time.
 */

/** `<13 digits of milliseconds>-<4 hex digits of counter>-<device id>`; later times compare greater as text. */
export type HybridTimeText = string;
export const HYBRID_TIME: RegExp = /^\d{13}-[0-9a-f]{4}-[0-9a-f-]{36}$/;

export interface HybridTimeParts {
  ms: number;
  counter: number;
  deviceId: string;
}

const MAX_COUNTER = 0xffff;
/** The length of a time without the device's id. */
const MADE_LENGTH = '0001763460000-0000'.length;

export const formatHybridTime = ({ ms, counter, deviceId }: HybridTimeParts): HybridTimeText =>
  `${String(ms).padStart(13, '0')}-${counter.toString(16).padStart(4, '0')}-${deviceId}`;

export function parseHybridTime(time: HybridTimeText): HybridTimeParts {
  return { ms: Number(time.slice(0, 13)), counter: Number.parseInt(time.slice(14, 18), 16), deviceId: time.slice(19) };
}

/**
 * Returns the time of a new edit. It is later than every time that this device has issued or received, even if its wall clock went back.
 */
export function nextHybridTime(last: HybridTimeText | null, now: { ms: number; deviceId: string }): HybridTimeText {
  const before = last === null ? null : parseHybridTime(last);
  if (before === null || now.ms > before.ms) return formatHybridTime({ ...now, counter: 0 });
  if (before.counter < MAX_COUNTER)
    return formatHybridTime({ ...before, counter: before.counter + 1, deviceId: now.deviceId });
  return formatHybridTime({ ms: before.ms + 1, counter: 0, deviceId: now.deviceId });
}

/** A device whose clock runs ahead gains at most a minute over other devices. */
export const MAX_CLOCK_LEAD_MS: number = 60_000;

export function clampHybridTime(time: HybridTimeText, serverNowMs: number): HybridTimeText {
  const parts = parseHybridTime(time);
  const latestMs = serverNowMs + MAX_CLOCK_LEAD_MS;
  return parts.ms <= latestMs ? time : formatHybridTime({ ...parts, ms: latestMs, counter: MAX_COUNTER });
}

/** True when a device made the edit at `candidate` before its edit at `last`, whatever device ids the times contain. */
export const wasMadeBefore = (candidate: HybridTimeText, last: HybridTimeText | null): boolean =>
  last !== null && candidate.slice(0, MADE_LENGTH) < last.slice(0, MADE_LENGTH);

/** True when an edit at `candidate` replaces one at `current`. */
export const isLater = (candidate: HybridTimeText, current: HybridTimeText | null): boolean =>
  current === null || candidate > current;
