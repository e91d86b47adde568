/** Finds audible silences inside an utterance. */
import { frameLevelsDb } from '../signal/inspect.ts';

const FRAME_MS = 20;
const MIN_PAUSE_MS = 200;
/** The threshold lies below the middle between quiet and loud. */
const QUIET_SHARE = 0.35;

export function findPauses(pcm: Float32Array): { startMs: number; endMs: number }[] {
  const levels = frameLevelsDb(pcm);
  const sorted = levels.toSorted();
  const low = sorted[Math.floor(sorted.length * 0.05)] ?? 0;
  const high = sorted[Math.floor(sorted.length * 0.95)] ?? 0;
  const threshold = low + QUIET_SHARE * (high - low);
  const speech = Array.from(levels, (level) => level > threshold);
  const first = speech.indexOf(true);
  const last = speech.lastIndexOf(true);
  const pauses: { startMs: number; endMs: number }[] = [];
  for (let frame = first; frame >= 0 && frame < last;) {
    if (speech[frame] === true) {
      frame += 1;
      continue;
    }
    const start = frame;
    while (frame < last && speech[frame] !== true) frame += 1;
    if ((frame - start) * FRAME_MS >= MIN_PAUSE_MS) pauses.push({ startMs: start * FRAME_MS, endMs: frame * FRAME_MS });
  }
  return pauses.slice(0, 2_000);
}
