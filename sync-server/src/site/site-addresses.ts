/**
 * Addresses of the public pages. English has the plain address, and every other language is in the query, so that a CDN
 * keeps the languages apart by address.
 */
import { SOURCE_LANGUAGE } from '@parley/i18n';
import { LANGUAGE_PARAMETER, LANGUAGES } from '../localization/index.ts';

/** The address of a path of this site in a language. */
export function addressIn(language: string, path: string): string {
  return language === SOURCE_LANGUAGE ? path : withLanguage(language, path);
}

/** Includes even English, for a visitor whose browser prefers another language. */
export function withLanguage(language: string, path: string): string {
  const [address = '', fragment] = path.split('#');
  const separator = address.includes('?') ? '&' : '?';
  return `${address}${separator}${LANGUAGE_PARAMETER}=${language}${fragment === undefined ? '' : `#${fragment}`}`;
}

export interface Alternate {
  /** For `hreflang`: a language, or `x-default` for the address that follows the browser. */
  language: string;
  path: string;
}

/** A page in every language. */
export const alternatesOf = (path: string): readonly Alternate[] => [
  ...LANGUAGES.map((language) => ({ language, path: addressIn(language, path) })),
  { language: 'x-default', path },
];
