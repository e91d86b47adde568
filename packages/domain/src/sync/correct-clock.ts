/** Converts the time of an edit to the server's clock, in case the device's clock is wrong. */
import { formatHybridTime, type HybridTimeText, parseHybridTime } from './hybrid-clock.ts';

/** Differences up to this are ignored, because a request can take that long. */
export const CLOCK_TOLERANCE_MS = 2_000;

/** A hybrid time stores milliseconds in thirteen digits. */
const MAX_MS = 9_999_999_999_999;

/** `offsetMs` is the server's time minus the device's when the edits were sent. */
export function correctHybridTime(time: HybridTimeText, offsetMs: number): HybridTimeText {
  if (Math.abs(offsetMs) <= CLOCK_TOLERANCE_MS) return time;
  const parts = parseHybridTime(time);
  return formatHybridTime({ ...parts, ms: Math.min(MAX_MS, Math.max(0, parts.ms + offsetMs)) });
}
