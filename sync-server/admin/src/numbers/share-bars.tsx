/** Shares of a whole as bars, each with its numbers next to it, so that colour is never the only cue. */
import type { ReactElement } from 'react';
import css from './share-bars.module.css';

export interface Share {
  key: string;
  title: string;
  /** From 0 to 1; null when the whole is zero. */
  share: number | null;
  text: string;
}

export const ShareBars = ({ label, shares }: { label: string; shares: readonly Share[] }): ReactElement => (
  <ul className={css['shares']} aria-label={label}>
    {shares.map(({ key, title, share, text }) => (
      <li key={key}>
        <span className={css['title']}>
          <bdi>{title}</bdi>
          <b>{text}</b>
        </span>
        <span className={css['bar']} aria-hidden="true">
          <span style={{ width: `${(share ?? 0) * 100}%` }} />
        </span>
      </li>
    ))}
  </ul>
);
