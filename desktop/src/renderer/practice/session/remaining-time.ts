/** Describes a plan's remaining minutes. The text becomes urgent only at five minutes, one minute and zero. */

import { t } from '@parley/i18n';
export interface RemainingTime {
  text: string;
  isUrgent: boolean;
}

/** Returns null while turns can be taken for more than five minutes, or if usage is not metered. */
export function describeUrgentTime(leftS: number | null): string | null {
  if (leftS === null || leftS > 300) return null;
  return leftS <= 60 ? t('Less than a minute left on your plan.') : t('Less than five minutes left on your plan.');
}

/** A plan includes fewer minutes for calls than for taking turns. `leftS` is null if usage is not metered. */
export function describeCallTime(leftS: number | null): RemainingTime {
  if (leftS === null) return { text: t('Speak whenever you like. You can interrupt.'), isUrgent: false };
  if (leftS === 0) return { text: t('You’ve used all your minutes for calls. Time to say goodbye.'), isUrgent: true };
  if (leftS <= 60) return { text: t('Less than a minute left for calls on your plan.'), isUrgent: true };
  if (leftS <= 300) return { text: t('Less than five minutes left for calls on your plan.'), isUrgent: true };
  return {
    text: t(
      '{minutes, plural, one {# minute left for calls on your plan.} other {# minutes left for calls on your plan.}}',
      { minutes: Math.floor(leftS / 60) },
    ),
    isUrgent: false,
  };
}
