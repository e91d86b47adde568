/** The product's icons: 24 units square, one stroke, hidden from screen readers because their button has a label. */
import type { ReactElement } from 'react';

const PATHS = {
  today: 'M4 11l8-7 8 7v8a1 1 0 0 1-1 1h-4v-6h-6v6H5a1 1 0 0 1-1-1z',
  practise: 'M4 5h16v11H10l-5 4v-4H4zM8 9h8M8 12h5',
  course:
    'M12 6.500C9.600 5 7 4.700 4 4.700v13c3 0 5.600.300 8 1.800 2.400-1.500 5-1.800 8-1.800v-13c-3 0-5.600.300-8 1.800zM12 6.500v13',
  video: 'M4 6h16v12H4zM10.500 9.500l4.500 2.500-4.500 2.500z',
  lock: 'M6 11h12v9H6zM8.500 11V8a3.500 3.500 0 0 1 7 0v3',
  drill: 'M4 12h2l2-6 3 12 3-9 2 5h4',
  progress: 'M5 13v6M10 8v11M15 11v8M20 5v14',
  history: 'M12 7v5l3.5 2M4 12a8 8 0 1 0 2.5-5.8M4 4v4h4',
  blog: 'M5 5h11v14H7a2 2 0 0 1-2-2zM16 10h3v7a2 2 0 0 1-2 2H8M8 9h5M8 12.5h5M8 16h3',
  coach: 'M12 4a4 4 0 1 0 0 8 4 4 0 0 0 0-8zM4.5 20a7.5 7.5 0 0 1 15 0',
  plan: 'M12 4l2.4 5 5.6.8-4 3.9.9 5.5-4.9-2.6-4.9 2.6.9-5.5-4-3.9 5.6-.8z',
  settings: 'M4 7h9M17 7h3M4 12h3M11 12h9M4 17h9M17 17h3M15 5v4M9 10v4M15 15v4',
  microphone: 'M12 4a3 3 0 0 1 3 3v4a3 3 0 0 1-6 0V7a3 3 0 0 1 3-3zM6 11a6 6 0 0 0 12 0M12 17v3',
  muted:
    'M15 9V7a3 3 0 0 0-5.6-1.5M9 9v2a3 3 0 0 0 4.5 2.6M6 11a6 6 0 0 0 9.5 4.9M18 11a6 6 0 0 1-.5 2.4M12 17v3M4 4l16 16',
  captions: 'M3 6h18v12H3zM11 10.5a2 2 0 1 0 0 3M17 10.5a2 2 0 1 0 0 3',
  phone: 'M5 4h4l1.5 4.5L8 10.5a11 11 0 0 0 5.5 5.5l2-2.5L20 15v4a1 1 0 0 1-1 1A15 15 0 0 1 4 5a1 1 0 0 1 1-1z',
  stop: 'M7 7h10v10H7z',
  play: 'M8 5l11 7-11 7z',
  pause: 'M8 5v14M16 5v14',
  slow: 'M4 16a8 8 0 1 1 16 0M12 16l-4-4',
  check: 'M5 12.5l4.5 4.5L19 7',
  circle: 'M12 5a7 7 0 1 0 0 14 7 7 0 0 0 0-14z',
  close: 'M6 6l12 12M18 6L6 18',
  search: 'M11 5a6 6 0 1 0 0 12 6 6 0 0 0 0-12zM15.5 15.5L20 20',
  hint: 'M9 18h6M10 21h4M12 3a6 6 0 0 0-3.5 10.9c.6.5.9 1.200.9 2.100h5.200c0-.9.3-1.6.9-2.100A6 6 0 0 0 12 3z',
  keyboard: 'M3 7h18v10H3zM7 10h.01M11 10h.01M15 10h.01M8 14h8',
  redo: 'M5 12a7 7 0 1 1 2 5M5 18v-4h4',
  send: 'M4 12l16-7-5 15-3.5-6zM11.5 14L20 5',
  more: 'M6 12h.01M12 12h.01M18 12h.01',
  warning: 'M12 4l9 16H3zM12 10v4M12 17h.01',
  speaker: 'M5 9h3l5-4v14l-5-4H5zM16 9a4 4 0 0 1 0 6',
  computer: 'M4 5h16v11H4zM9 20h6M12 16v4',
  link: 'M9 15l6-6M8 11l-2 2a3.5 3.5 0 0 0 5 5l2-2M16 13l2-2a3.5 3.5 0 0 0-5-5l-2 2',
  clock: 'M12 4a8 8 0 1 0 0 16 8 8 0 0 0 0-16zM12 8v4l3 2',
} as const;

export type IconName = keyof typeof PATHS;

const FILLED: ReadonlySet<IconName> = new Set(['play', 'stop']);

export function Icon({ name, size = 20 }: { name: IconName; size?: number }): ReactElement {
  return (
    <svg
      width={size}
      height={size}
      viewBox="0 0 24 24"
      fill={FILLED.has(name) ? 'currentColor' : 'none'}
      stroke="currentColor"
      strokeWidth="1.8"
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
    >
      <path d={PATHS[name]} />
    </svg>
  );
}
