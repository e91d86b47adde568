/** The ring of bars around the coach, each as long as the voice is loud. */
import { type ReactElement, type RefObject, useRef } from 'react';
import css from './call.module.css';

const BARS = 72;
const INNER_RADIUS = 150;
const MAX_LENGTH = 60;
/** The part of each bar that is drawn in silence. */
const SILENT_PART = 0.06;
/** With reduced motion, the ring shows the level twice a second. */
const REDUCED_MOTION_INTERVAL_MS = 500;

/** Uneven, so that the ring looks like speech and not like a gear. */
const lengthOf = (bar: number): number =>
  MAX_LENGTH * (0.4 + 0.6 * Math.abs(Math.sin(bar * 1.37) * Math.cos(bar * 0.61 + 1)));

const DIRECTIONS = Array.from({ length: BARS }, (_, bar) => {
  const angle = (bar / BARS) * 2 * Math.PI;
  return { x: Math.cos(angle), y: Math.sin(angle), length: lengthOf(bar) };
});

/** All bars in one path, because a browser takes six times as long to restyle 72 of them. */
export function ringPath(part: number): string {
  return DIRECTIONS.map(({ x, y, length }) => {
    const at = (radius: number): string => `${(x * radius).toFixed(1)} ${(y * radius).toFixed(1)}`;
    return `M${at(INNER_RADIUS)}L${at(INNER_RADIUS + length * part)}`;
  }).join('');
}

/** The part of each bar that the loudest voice adds. */
function reachOf(facing: string | undefined): number {
  if (facing === 'coach') return 0.94;
  return facing === 'learner' || facing === 'none' ? 0.5 : 0.1;
}

export function VoiceRing({
  state,
  ref,
}: {
  /** As in `CoachFaceState`. */
  state: string;
  ref: RefObject<SVGPathElement | null>;
}): ReactElement {
  return (
    <svg className={css['bars']} viewBox="-215 -215 430 430" aria-hidden="true">
      {/* The key makes the ring silent again when somebody else speaks. */}
      <path key={state} ref={ref} data-facing={state} d={ringPath(SILENT_PART)} />
    </svg>
  );
}

export interface VoiceLevel {
  ring: RefObject<SVGPathElement | null>;
  /** Draws the loudness, 0-1, if the ring shows this speaker. React renders nothing, because this happens many times a second. */
  show: (who: 'learner' | 'coach', level: number) => void;
}

export function useVoiceLevel(): VoiceLevel {
  const ring = useRef<SVGPathElement>(null);
  const shownAtMs = useRef(0);
  return {
    ring,
    show: (who, level) => {
      const facing = ring.current?.dataset['facing'];
      if ((facing === 'coach') !== (who === 'coach')) return;
      const nowMs = performance.now();
      const isTooSoon = nowMs - shownAtMs.current < REDUCED_MOTION_INTERVAL_MS;
      if (isTooSoon && matchMedia('(prefers-reduced-motion: reduce)').matches) return;
      shownAtMs.current = nowMs;
      const loudness = Math.min(1, Math.sqrt(level) * 1.8);
      ring.current?.setAttribute('d', ringPath(SILENT_PART + loudness * reachOf(facing)));
    },
  };
}
