/** Says that a text is longer than the server accepts; null when it is not. */
import { t } from '@parley/i18n';
import { explain, explanationText } from '@parley/domain';

export const lengthProblem = (label: string, text: string, limit: number): string | null =>
  text.length <= limit ? null : explanationText(explain('value.too_large', { place: label, limit }), t);
