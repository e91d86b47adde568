/** Draws the level of the recording as it grows: silence is a dot, a loud moment a long bar. */
import { type ReactElement, useEffect, useRef, useState } from 'react';
import css from './recording.module.css';

const BAR_COUNT = 72;
const STEP = 10;
const HEIGHT = 68;
const REDUCED_INTERVAL_MS = 500;

/** `level` is that of the newest moment; each render with another `at` adds a bar. */
export function LevelWave({ level, at }: { level: number; at: number }): ReactElement {
  const levels = useRef<number[]>([]);
  const [, redraw] = useState(0);
  const latest = useRef(level);
  latest.current = level;
  const isReduced = matchMedia('(prefers-reduced-motion: reduce)').matches;
  useEffect(() => {
    if (isReduced) return;
    levels.current = [...levels.current, latest.current].slice(-BAR_COUNT);
    redraw((count) => count + 1);
  }, [at, isReduced]);
  useEffect(() => {
    // With reduced motion, a single bar shows the level, twice a second.
    if (!isReduced) return undefined;
    const timer = setInterval(() => {
      levels.current = [latest.current];
      redraw((count) => count + 1);
    }, REDUCED_INTERVAL_MS);
    return () => clearInterval(timer);
  }, [isReduced]);
  const path = levels.current.map((bar, index) => {
    const half = Math.max(0.1, Math.min(1, Math.sqrt(bar) * 1.8) * (HEIGHT / 2 - 4));
    const x = index * STEP + STEP / 2;
    return `M${x} ${(HEIGHT / 2 - half).toFixed(1)}V${(HEIGHT / 2 + half).toFixed(1)}`;
  });
  return (
    <svg
      className={css['wave']}
      viewBox={`0 0 ${BAR_COUNT * STEP} ${HEIGHT}`}
      preserveAspectRatio="none"
      aria-hidden="true"
    >
      <path
        d={path.join('')}
        stroke="currentColor"
        strokeWidth="4"
        strokeLinecap="round"
        vectorEffect="non-scaling-stroke"
      />
    </svg>
  );
}
