/** Finds text on pages and in mails that does not come from the catalogue. */
import type { Localizer } from '@parley/i18n';

/** Encloses messages, dates and numbers in marks, so that a literal is outside of them. */
export const markMessages = <Words extends Localizer>(words: Words): Words => ({
  ...words,
  t: (message, values) => `⟦${words.t(message, values).replaceAll(/[⟦⟧]/g, '')}⟧`,
  formatDay: (at, timeZone) => `⟦${words.formatDay(at, timeZone)}⟧`,
});

/** Names that are the same in every language. */
const NAMES = /Parley|parley\.example|Plus|Pro|RSS|Grace|SHA-256|Windows|macOS|Linux|npm run build/g;

/**
 * The texts of HTML that are not marked. Text in a language other than the page's, such as a practised sentence, is
 * left out.
 */
export function findLiterals(markup: string): string[] {
  const spoken = [...markup.matchAll(/(?:aria-label|title|alt|placeholder|content)="([^"]*)"/g)].map(
    ([, text = '']) => text,
  );
  const texts = markup
    .replaceAll(/<(style|script)\b.*?<\/\1>/gs, '')
    .replaceAll(/<(?!html)(\w+)(?:\s[^>]*)?\slang="[^"]*"[^>]*>.*?<\/\1>/gs, '')
    .split(/<[^>]*>/);
  return [...texts, ...spoken.filter((text) => !isTechnical(text))]
    .map((text) => text.replaceAll(/⟦.*?⟧/gs, '').replaceAll(NAMES, ''))
    .filter((text) => /\p{L}{2}/u.test(text.replaceAll(/&\w+;/g, '')))
    .map((text) => text.trim());
}

/** Values of meta elements that are read by programs. */
const isTechnical = (text: string): boolean =>
  /^(https?:|text\/html|telephone=|light dark|width=|noindex|website|article|summary_|#|\d)/.test(text);
