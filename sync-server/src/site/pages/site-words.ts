/** Selects the language in which the site answers a request. */
import { type Localizer, SOURCE_LANGUAGE } from '@parley/i18n';
import type { FastifyRequest } from 'fastify';
import { localizerFor, pageLanguage, requestedLanguage } from '../../localization/index.ts';
import { withLanguage } from '../site-addresses.ts';

/** The translations for a page's language, and the addresses of other pages in that language. */
export interface SiteWords extends Localizer {
  linkTo: (path: string) => string;
}

export function wordsFor(request: FastifyRequest): SiteWords {
  const language = pageLanguage(request);
  const isPlain = language === SOURCE_LANGUAGE && requestedLanguage(request) === null;
  return {
    ...localizerFor(language),
    linkTo: (path) => (isPlain ? path : withLanguage(language, path)),
  };
}
