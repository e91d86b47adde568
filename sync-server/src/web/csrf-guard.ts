/** Protects forms against CSRF by checking the request's origin and a token that only our page knows. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { isSameHash, keyedHash, generateSecret, type WebSession } from '../account/index.ts';
import { DomainError } from '../domain-error.ts';
import type { CookieJar } from './cookies.ts';

const FORM_LIFE_S = 3_600;
const SECRET = /^[A-Za-z0-9_-]{43}$/;

export interface CsrfGuard {
  /** Issues the token for a form on the page being rendered. */
  issueToken: (request: FastifyRequest, reply: FastifyReply, session: WebSession | null) => string;
  /** Throws `auth.forbidden`. */
  assertToken: (request: FastifyRequest, sent: { token: string | null; session: WebSession | null }) => void;
}

export function createCsrfGuard({ secret, cookies }: { secret: string; cookies: CookieJar }): CsrfGuard {
  const sessionToken = ({ id }: WebSession): string => keyedHash(secret, `form-of-session:${id}`);
  const browserToken = (nonce: string): string => keyedHash(secret, `form-of-browser:${nonce}`);
  const readNonce = (request: FastifyRequest): string | null => {
    const nonce = cookies.read(request, cookies.form) ?? '';
    return SECRET.test(nonce) ? nonce : null;
  };

  return {
    issueToken(request, reply, session) {
      if (session !== null) return sessionToken(session);
      const nonce = readNonce(request) ?? generateSecret();
      cookies.set(reply, cookies.form, { value: nonce, maxAgeS: FORM_LIFE_S });
      return browserToken(nonce);
    },

    assertToken(request, { token, session }) {
      assertSameOrigin(request);
      const nonce = readNonce(request);
      const expected = session === null ? browserToken(nonce ?? generateSecret()) : sessionToken(session);
      if (!isSameHash(token ?? '', expected)) throw new DomainError('auth.forbidden', { detail: 'form' });
    },
  };
}

/** Throws `auth.forbidden` when another site's page sent the request. */
export function assertSameOrigin({ headers }: Pick<FastifyRequest, 'headers'>): void {
  if (!isSameOrigin(headers)) throw new DomainError('auth.forbidden', { detail: 'origin' });
}

/**
 * Returns whether the request comes from one of our own pages. Older browsers do not send `Sec-Fetch-Site`, so their `Origin` is compared
 * with the host. Our pages send no referrer, which makes `Origin` `null` where it is not needed.
 */
function isSameOrigin(headers: FastifyRequest['headers']): boolean {
  const site = headers['sec-fetch-site'];
  if (site !== undefined) return site === 'same-origin';
  const { origin, host } = headers;
  return origin !== undefined && host !== undefined && URL.parse(origin)?.host === host;
}
