/** Finds the language in which a request should be answered. */
import type { FastifyRequest } from 'fastify';
import { chooseLanguage, SOURCE_LANGUAGE } from '@parley/i18n';
import { LANGUAGES } from './localizers.ts';

export const LANGUAGE_PARAMETER = 'lang';

/** Browsers list a few languages; a longer list does not come from a person. */
const MAX_HEADER_LENGTH = 500;
const MAX_LANGUAGES = 20;

type Asking = Pick<FastifyRequest, 'headers' | 'query'>;

/** The language that the address names, or null. */
export function requestedLanguage({ query }: Pick<FastifyRequest, 'query'>): string | null {
  const asked =
    typeof query === 'object' && query !== null ? (query as Record<string, unknown>)[LANGUAGE_PARAMETER] : null;
  return LANGUAGES.find((language) => language === asked) ?? null;
}

/** The best match for the `Accept-Language` header (RFC 9110, section 12.5.4), or null if none is supported. */
export function wantedLanguage({ headers }: Pick<FastifyRequest, 'headers'>): string | null {
  const wanted = parseAcceptLanguage(headers['accept-language']);
  if (wanted.length === 0) return null;
  const chosen = chooseLanguage(wanted, LANGUAGES);
  const asksForEnglish = wanted.some((tag) => tag.toLowerCase().split('-')[0] === SOURCE_LANGUAGE);
  return chosen === SOURCE_LANGUAGE && !asksForEnglish ? null : chosen;
}

/** The language of a page: the address decides, then the account's language, then the browser. */
export const pageLanguage = (request: Asking, stored: string | null = null): string =>
  requestedLanguage(request) ?? stored ?? wantedLanguage(request) ?? SOURCE_LANGUAGE;

/** The language tags by descending weight. */
function parseAcceptLanguage(header: string | undefined): string[] {
  return (header ?? '')
    .slice(0, MAX_HEADER_LENGTH)
    .split(',', MAX_LANGUAGES)
    .flatMap((part) => {
      const [tag = '', ...parameters] = part.split(';').map((each) => each.trim());
      const weight = Number(parameters.find((each) => each.startsWith('q='))?.slice('q='.length) ?? 1);
      return tag === '' || tag === '*' || !(weight > 0) ? [] : [{ tag, weight }];
    })
    .toSorted((a, b) => b.weight - a.weight)
    .map(({ tag }) => tag);
}
