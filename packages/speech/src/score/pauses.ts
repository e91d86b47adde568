/** Finds audible silences inside an utterance. */
import { frameLevelsDb, loudLevelDb } from '../signal/inspect.ts';

const FRAME_MS = 20;
const MIN_PAUSE_MS = 200;
/** The threshold is below the middle between quiet and loud. */
const QUIET_SHARE = 0.35;
/**
 * The digital silence of a noise gate or a muted start is far quieter than the pauses in a room, which would then count
 * as speech.
 */
const MAX_RANGE_DB = 50;

export function findPauses(pcm: Float32Array): { startMs: number; endMs: number }[] {
  const levels = frameLevelsDb(pcm);
  const sorted = levels.toSorted();
  const high = loudLevelDb(sorted);
  const low = Math.max(sorted[Math.floor(sorted.length * 0.05)] ?? high, high - MAX_RANGE_DB);
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
