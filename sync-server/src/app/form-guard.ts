/** Keeps other sites from filling in our forms: the browser says where a form stood, and the form knows what only our page could know. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { isSameHash, keyedHash, newSecret, type WebSession } from '../account/index.ts';
import { failure } from '../failure.ts';
import { type CookieJar, readCookie } from './cookies.ts';

const FORM_LIFE_S = 3_600;
const SECRET = /^[A-Za-z0-9_-]{43}$/;

export interface FormGuard {
  /** For a form of a page that is being answered. */
  tokenFor: (request: FastifyRequest, reply: FastifyReply, session: WebSession | null) => string;
  /** Throws `auth.forbidden`. */
  check: (request: FastifyRequest, sent: { token: string | null; session: WebSession | null }) => void;
}

export function createFormGuard({ secret, cookies }: { secret: string; cookies: CookieJar }): FormGuard {
  const ofSession = ({ id }: WebSession): string => keyedHash(secret, `form-of-session:${id}`);
  const ofBrowser = (nonce: string): string => keyedHash(secret, `form-of-browser:${nonce}`);
  const nonceOf = ({ headers }: FastifyRequest): string | null => {
    const nonce = readCookie(headers.cookie, cookies.form) ?? '';
    return SECRET.test(nonce) ? nonce : null;
  };

  return {
    tokenFor(request, reply, session) {
      if (session !== null) return ofSession(session);
      const nonce = nonceOf(request) ?? newSecret();
      void reply.header('set-cookie', cookies.set(cookies.form, nonce, FORM_LIFE_S));
      return ofBrowser(nonce);
    },

    check(request, { token, session }) {
      if (!isOwnPage(request.headers)) throw failure('auth.forbidden', { detail: 'origin' });
      const nonce = nonceOf(request);
      const expected = session === null ? ofBrowser(nonce ?? newSecret()) : ofSession(session);
      if (!isSameHash(token ?? '', expected)) throw failure('auth.forbidden', { detail: 'form' });
    },
  };
}

/**
 * Whether a page of ours asks. Browsers say so themselves; of one that is too old for that, where the page came from is compared with where
 * the request goes. Our pages send no referrer, so that `Origin` is `null` where it is not needed.
 */
export function isOwnPage(headers: FastifyRequest['headers']): boolean {
  const site = headers['sec-fetch-site'];
  if (site !== undefined) return site === 'same-origin';
  const { origin, host } = headers;
  return origin !== undefined && host !== undefined && URL.parse(origin)?.host === host;
}
