/**
 * The icons of the navigation and of what waits on Home: 20 units square, one stroke, hidden from screen readers
 * because the label is next to them.
 */
import type { ReactElement } from 'react';

const PATHS = {
  home: 'M4 6.5h12M4 10h8M4 13.500h10',
  learners:
    'M10 7.500a2.500 2.500 0 1 1-5 0 2.500 2.500 0 0 1 5 0M3 16c.300-3 2-4.500 4.500-4.500S11.700 13 12 16M12.500 5.200a2.500 2.500 0 0 1 0 4.600M14 11.800c1.800.500 2.800 2 3 4.200',
  classes: 'M3 8l7-3.500L17 8l-7 3.500zM6 9.700V13c1.200 1.200 2.500 1.700 4 1.700s2.800-.5 4-1.700V9.700',
  courses:
    'M10 5.500C8 4.200 6 4 3.500 4v11c2.500 0 4.500.200 6.500 1.500 2-1.300 4-1.500 6.500-1.500V4C14 4 12 4.200 10 5.500zM10 5.500v11',
  practices: 'M4 4.500h12v8H9l-3.500 3v-3H4z',
  coaches:
    'M10 3a2.500 2.500 0 0 1 2.500 2.500v4a2.500 2.500 0 0 1-5 0v-4A2.500 2.500 0 0 1 10 3zM5 10a5 5 0 0 0 10 0M10 15.500V18',
  videos: 'M3 5h14v10H3zM8.500 8v4l3.500-2z',
  blog: 'M5 3.500h10v13l-5-3-5 3z',
  industries: 'M3.500 16V9l4 2.500V9l4 2.500V4.500h5V16z',
  prices: 'M3 5h14v10H3zM3 8.500h14',
  mail: 'M3 5h14v10H3zM3.500 6l6.500 5 6.500-5',
  numbers: 'M4 16V9.500M8 16V6M12 16v-4.500M16 16V4',
  reports: 'M5 17V4h10l-2.500 3.500L15 11H5',
  crashes: 'M10 3.500l7 12.500H3zM10 8.500v3.500M10 14h.1',
  audit: 'M6 5h10M6 10h10M6 15h10M3.500 5h.1M3.500 10h.1M3.500 15h.1',
  settings: 'M4 6h7M14 6h2M4 10h2M9 10h7M4 14h7M14 14h2M12.500 4.500v3M7.500 8.500v3M12.500 12.500v3',
} as const;

export type PanelIconName = keyof typeof PATHS;

export const PanelIcon = ({ name }: { name: PanelIconName }): ReactElement => (
  <svg
    width="20"
    height="20"
    viewBox="0 0 20 20"
    fill="none"
    stroke="currentColor"
    strokeWidth="1.6"
    strokeLinecap="round"
    strokeLinejoin="round"
    aria-hidden="true"
  >
    <path d={PATHS[name]} />
  </svg>
);
