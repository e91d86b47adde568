/**
 * The accessible name of a button that appears once per line: it begins with the button's text, as speech control
 * expects.
 */
import { t } from '@parley/i18n';
import { typographic } from '@parley/ui';

export const withLine = (action: string, line: string): string =>
  t('{action}: “{line}”', { action, line: typographic(line) });
