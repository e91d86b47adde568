/** The time of an edit by the server's clock, whatever the clock of its device says. */
import { formatHybridTime, type HybridTimeText, parseHybridTime } from '../hybrid-clock.ts';

/** Clocks that are this close are taken for right: the request itself takes that long at times. */
export const CLOCK_TOLERANCE_MS = 2_000;

/** A hybrid time has thirteen digits for them. */
const MAX_MS = 9_999_999_999_999;

/** `offsetMs`: the server's time less the device's, when the device sent its edits. */
export function correctHybridTime(time: HybridTimeText, offsetMs: number): HybridTimeText {
  if (Math.abs(offsetMs) <= CLOCK_TOLERANCE_MS) return time;
  const parts = parseHybridTime(time);
  return formatHybridTime({ ...parts, ms: Math.min(MAX_MS, Math.max(0, parts.ms + offsetMs)) });
}
