/**
 * The language of the sign-in and account pages: the one in the address, the account's own, or the browser's. Days are
 * in the learner's time zone.
 */
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Localizer } from '@parley/i18n';
import { DEFAULT_TIME_ZONE, readLearnerLanguage, readTimeZone, type WebSession } from '../account/index.ts';
import type { Database } from '../db/client.ts';
import { LANGUAGES, localizerFor, pageLanguage, requestedLanguage } from '../localization/index.ts';
import type { CookieJar } from './cookies.ts';

const LANGUAGE_COOKIE_LIFE_S = 365 * 24 * 3_600;

export interface PageLocalizer extends Localizer {
  timeZone: string;
}

export interface PageLanguages {
  /** Remembers a language from the address, because forms and redirects have other addresses. */
  localize: (request: FastifyRequest, reply: FastifyReply, session?: WebSession | null) => Promise<PageLocalizer>;
}

export function createPageLanguages({ db, cookies }: { db: Database; cookies: CookieJar }): PageLanguages {
  return {
    async localize(request, reply, session = null) {
      const requested = requestedLanguage(request);
      if (requested !== null)
        cookies.set(reply, cookies.language, { value: requested, maxAgeS: LANGUAGE_COOKIE_LIFE_S });
      const remembered = LANGUAGES.find((language) => language === cookies.read(request, cookies.language));
      const stored = remembered ?? (session === null ? null : await readLearnerLanguage(db, session.userId));
      const timeZone = session === null ? DEFAULT_TIME_ZONE : await readTimeZone(db, session.userId);
      return { ...localizerFor(pageLanguage(request, stored)), timeZone };
    },
  };
}
