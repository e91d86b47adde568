/** Writes a day as short as a card needs it, for example "22 Nov". */
import { formatLocale } from '@parley/i18n';

export const formatDay = (at: Date): string =>
  at.toLocaleDateString(formatLocale(), { day: 'numeric', month: 'short' });
