/** Computes the paths that draw two voices on one time axis. */
import type { Assessment, TrackSegment } from '@parley/domain';
import { BIN_MS } from './use-voices.ts';

export const LANE_HEIGHT = 100;
const WAVE_MIDDLE = 70;
const WAVE_HALF = 26;
/** The vertical position of the waveforms in a lane, with room for the round ends of their bars. */
export const WAVE_TOP: number = WAVE_MIDDLE - WAVE_HALF - 3;
export const WAVE_BOTTOM: number = WAVE_MIDDLE + WAVE_HALF + 3;
const PITCH_MIDDLE = 24;
const PITCH_HALF = 20;
const QUIET_HALF = 0.6;
/** A longer silence interrupts the curve. */
const GAP_MS = 60;
/** A voice with a smaller range is drawn as flat as it is. */
const MIN_HALF_RANGE_SEMITONES = 4;

type Pitch = Assessment['pitch'];

const isInside = ({ fromMs, toMs }: TrackSegment, ms: number): boolean => ms >= fromMs && ms < toMs;

/** A bar for each interval of sound; silence is a dot. */
export function wavePath(levels: readonly number[], segments: readonly TrackSegment[]): string {
  return segments
    .flatMap((segment) => {
      const first = Math.ceil(segment.fromMs / BIN_MS);
      const last = Math.floor(segment.toMs / BIN_MS);
      return levels.slice(first, last).map((level, index) => {
        const x = segment.axisMs + (first + index + 0.5) * BIN_MS - segment.fromMs;
        const half = Math.max(QUIET_HALF, level * WAVE_HALF);
        return `M${x.toFixed(0)} ${(WAVE_MIDDLE - half).toFixed(1)}v${(2 * half).toFixed(1)}`;
      });
    })
    .join('');
}

const toSemitones = (hz: number): number => 12 * Math.log2(hz);

/** The centre of a voice and half of its range, without the outermost twentieths, which are creaks and errors. */
export function pitchRangeOf(pitch: Pitch): { middle: number; half: number } {
  const sorted = pitch.map(({ hz }) => toSemitones(hz)).toSorted((a, b) => a - b);
  const at = (share: number): number => sorted[Math.floor(share * (sorted.length - 1))] ?? 0;
  return { middle: at(0.5), half: Math.max(MIN_HALF_RANGE_SEMITONES, at(0.95) - at(0.5), at(0.5) - at(0.05)) };
}

/**
 * Semitones around the voice's own centre, so that a low and a high voice can be compared; `half` is half of the range
 * that is drawn.
 */
export function pitchPath(pitch: Pitch, segments: readonly TrackSegment[], half: number): string {
  const { middle } = pitchRangeOf(pitch);
  return segments
    .flatMap((segment) => {
      const points = pitch.filter(({ ms }) => isInside(segment, ms));
      return points.map(({ ms, hz }, index) => {
        const isStart = index === 0 || ms - (points[index - 1]?.ms ?? 0) > GAP_MS;
        const share = Math.max(-1, Math.min(1, (toSemitones(hz) - middle) / half));
        const x = segment.axisMs + ms - segment.fromMs;
        return `${isStart ? 'M' : 'L'}${x.toFixed(0)} ${(PITCH_MIDDLE - share * PITCH_HALF).toFixed(1)}`;
      });
    })
    .join('');
}
