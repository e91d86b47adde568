import type { ReactElement } from 'react';
import { formatDateTime } from '../screen/format.ts';
import css from './list.module.css';

/** The date and time of a row, on one line where the window is wide enough. */
export const Moment = ({ at }: { at: string }): ReactElement => (
  <time dateTime={at} className={css['moment']}>
    {formatDateTime(at)}
  </time>
);
