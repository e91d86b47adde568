/** Draws what happened to speech in bars and dots: a bar is a voice, and a row of dots is silence. */
import type { ReactElement } from 'react';
import css from './pictures.module.css';

interface Drawing {
  color: string;
  /** The height of each bar, from left to right; 0 is a dot. */
  heights: readonly number[];
  /** A line that cuts, covers or crosses the voice. */
  line?: { path: string; color: string; width: number; isDotted?: boolean };
}

const SILENT: readonly number[] = Array.from({ length: 12 }, () => 0);

const DRAWINGS = {
  silence: { color: 'var(--line-strong)', heights: SILENT },
  one_practice: { color: 'var(--you)', heights: SILENT.with(2, 30) },
  too_quiet: {
    color: 'var(--you)',
    heights: [0, 5, 3, 0, 6, 4, 0, 5, 3, 0, 4, 0],
    line: { path: 'M4 22h168', color: 'var(--line-strong)', width: 1, isDotted: true },
  },
  too_loud: {
    color: 'var(--unclear)',
    heights: [20, 44, 44, 44, 44, 44, 44, 30, 44, 44, 44, 16],
    line: { path: 'M4 10h168M4 62h168', color: 'var(--unclear)', width: 2 },
  },
  noise: { color: 'var(--line-strong)', heights: [30, 26, 34, 28, 36, 30, 26, 32, 28, 34, 30, 26] },
  too_short: { color: 'var(--you)', heights: [18, 34, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0] },
  offline: { color: 'var(--you)', heights: [6, 22, 40, 14, 0, 0, 0, 0, 34, 46, 18, 10] },
  used_up: { color: 'var(--you)', heights: [6, 22, 40, 14, 30, 52, 26, 8, 0, 0, 0, 0] },
  blocked: {
    color: 'var(--danger)',
    heights: SILENT,
    line: { path: 'M4 60L172 12', color: 'var(--danger)', width: 3 },
  },
} as const satisfies Record<string, Drawing>;

export type SpeechPictureName = keyof typeof DRAWINGS;

const MIDDLE = 36;

export function SpeechPicture({ name }: { name: SpeechPictureName }): ReactElement {
  const { color, heights, line }: Drawing = DRAWINGS[name];
  // A line without length is drawn as a dot, because its ends are round.
  const bars = heights.map((height, index) => `M${10 + index * 14} ${MIDDLE - height / 2}v${height || 0.1}`).join('');
  return (
    <svg className={css['speech']} viewBox="0 0 174 72" width="174" height="72" fill="none" aria-hidden="true">
      <path d={bars} stroke={color} strokeWidth="6" strokeLinecap="round" />
      {line !== undefined && (
        <path
          d={line.path}
          stroke={line.color}
          strokeWidth={line.width}
          strokeLinecap="round"
          strokeDasharray={line.isDotted === true ? '2 5' : undefined}
        />
      )}
    </svg>
  );
}
