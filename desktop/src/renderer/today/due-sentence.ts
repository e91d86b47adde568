/** Says in plain words when an assigned course is due. */
import { formatLocale, t } from '@parley/i18n';
import type { AssignedCourse } from '@parley/contract';
import { formatDate } from '../foundation/sentences/format-date.ts';

type Due = Pick<AssignedCourse, 'dueAt' | 'done' | 'total'>;

const DAY_MS = 86_400_000;
const DAYS_A_WEEK = 7;

/** Midnight of the day in the learner's time zone, as if every day had 24 hours. */
const dayNumber = (date: Date): number => Date.UTC(date.getFullYear(), date.getMonth(), date.getDate()) / DAY_MS;

const isFinished = ({ done, total }: Due): boolean => total > 0 && done >= total;

export const isOverdue = (due: Due, now: Date): boolean => !isFinished(due) && due.dueAt !== null && due.dueAt < now;

export function dueSentence(due: Due, now: Date): string {
  const { dueAt } = due;
  if (isFinished(due)) return t('Finished.');
  if (dueAt === null) return t('No due date.');
  const days = dayNumber(dueAt) - dayNumber(now);
  const date = formatDate(dueAt.toISOString());
  if (days < -1) return t('Was due on {date}.', { date });
  if (days === -1) return t('Was due yesterday.');
  if (dueAt < now) return t('Was due earlier today.');
  if (days === 0) return t('Due today.');
  if (days === 1) return t('Due tomorrow.');
  if (days < DAYS_A_WEEK)
    return t('Due on {weekday}.', { weekday: dueAt.toLocaleDateString(formatLocale(), { weekday: 'long' }) });
  return t('Due on {date}.', { date });
}
