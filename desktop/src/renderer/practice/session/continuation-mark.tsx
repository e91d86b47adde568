/**
 * Marks where another device continued the same session while the two were out of touch; both continuations are kept.
 */
import { t } from '@parley/i18n';
import type { Turn } from '@parley/domain';
import { MutedText } from '@parley/ui';
import type { ReactElement } from 'react';
import css from '../practice.module.css';

/** Whether this turn is the first of a continuation. */
export const startsContinuation = (turns: readonly Turn[], index: number): boolean =>
  (turns[index]?.continuation ?? 0) !== (turns[index - 1]?.continuation ?? 0);

export const ContinuationMark = (): ReactElement => (
  <div className={css['continuation']}>
    <MutedText small>{t('You also continued this session on another device:')}</MutedText>
  </div>
);
