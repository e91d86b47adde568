/** Where two devices went on with one session while they were apart: both conversations are kept, and a line says where the other begins. */
import type { Turn } from '@parley/domain';
import { Quiet } from '@parley/ui';
import type { ReactElement } from 'react';
import css from './practice.module.css';

/** Whether this turn begins a conversation that another device held. */
export const beginsContinuation = (turns: readonly Turn[], at: number): boolean =>
  (turns[at]?.continuation ?? 0) !== (turns[at - 1]?.continuation ?? 0);

export const ContinuationMark = (): ReactElement => (
  <div className={css['continuation']}>
    <Quiet small>You also continued this session on another device:</Quiet>
  </div>
);
