/** The day, and a greeting for its hour. */
import { capitalise, formatLocale, t } from '@parley/i18n';

const NOON = 12;
const EVENING = 18;

export function greeting(now: Date, name: string | null): string {
  const hour = now.getHours();
  const locale = formatLocale();
  const day = capitalise(now.toLocaleDateString(locale, { weekday: 'long', day: 'numeric', month: 'long' }), locale);
  if (name === null) {
    if (hour < NOON) return t('{day}. Good morning.', { day });
    return hour < EVENING ? t('{day}. Good afternoon.', { day }) : t('{day}. Good evening.', { day });
  }
  if (hour < NOON) return t('{day}. Good morning, {name}.', { day, name });
  return hour < EVENING
    ? t('{day}. Good afternoon, {name}.', { day, name })
    : t('{day}. Good evening, {name}.', { day, name });
}
