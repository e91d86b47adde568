/** The mark: the rhythm of the name, PAR-ley, a bar and a dot. */
import type { ReactElement } from 'react';

export const Mark = (): ReactElement => (
  <svg width="18" height="24" viewBox="0 0 18 24" aria-hidden="true">
    <path d="M5 4v16M14 11.5v1" stroke="var(--you)" strokeWidth="6" strokeLinecap="round" />
  </svg>
);
