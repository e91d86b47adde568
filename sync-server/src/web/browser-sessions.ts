/** Reads and sets a browser's session cookie, and checks admin rights again on each request. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type Access, WEB_SESSION_DAYS, type WebSession, type WebSessions } from '../account/index.ts';
import { DomainError } from '../domain-error.ts';
import type { CookieJar } from './cookies.ts';

export interface BrowserSessions {
  /** Returns null when no account is signed in. With `reply`, an extended session gets a renewed cookie. */
  readSession: (request: FastifyRequest, reply?: FastifyReply) => Promise<WebSession | null>;
  /** Throws `auth.required`, or `auth.forbidden` when an admin is required. */
  requireWebSession: (request: FastifyRequest, wanted: { admin: boolean; reply?: FastifyReply }) => Promise<WebSession>;
  /** Returns the raw cookie value. */
  readSessionCookie: (request: FastifyRequest) => string | undefined;
  setSessionCookie: (reply: FastifyReply, cookie: string) => void;
  clearSessionCookie: (reply: FastifyReply) => void;
  /** Returns the mark set by `handOutMark`, which outlives the session. */
  readBrowserMark: (request: FastifyRequest) => string | undefined;
  setBrowserMark: (reply: FastifyReply, mark: string) => void;
}

/** The browser that sent a request of the contract. */
export interface RequestBrowser {
  userAgent: string | undefined;
  /** The raw cookie value. */
  sessionCookie: string | undefined;
  mark: string | undefined;
  /** Throws `auth.forbidden` when another site's page sent the request. */
  assertSameOrigin: () => void;
  rememberSession: (cookie: string, mark: string) => void;
  forgetSession: () => void;
}

const SESSION_LIFE_S = WEB_SESSION_DAYS * 24 * 3_600;
const MARK_LIFE_S = 365 * 24 * 3_600;

export interface BrowserSessionParts {
  webSessions: WebSessions;
  access: Pick<Access, 'requireAdmin'>;
  cookies: CookieJar;
}

export function createBrowserSessions({ webSessions, access, cookies }: BrowserSessionParts): BrowserSessions {
  const cookieOf = (request: FastifyRequest): string | undefined => cookies.read(request, cookies.session);
  const handOut = (reply: FastifyReply, cookie: string): void =>
    cookies.set(reply, cookies.session, { value: cookie, maxAgeS: SESSION_LIFE_S });

  const session: BrowserSessions['readSession'] = async (request, reply) => {
    const cookie = cookieOf(request);
    const found = await webSessions.read(cookie);
    if (found?.hasSlid === true && reply !== undefined && cookie !== undefined) handOut(reply, cookie);
    return found;
  };

  return {
    readSession: session,
    async requireWebSession(request, { admin, reply }) {
      const found = await session(request, reply);
      if (found === null) throw new DomainError('auth.required');
      if (admin) await access.requireAdmin(found.userId);
      return found;
    },
    readSessionCookie: cookieOf,
    setSessionCookie: handOut,
    readBrowserMark: (request) => cookies.read(request, cookies.knownBrowser),
    setBrowserMark: (reply, mark) => cookies.set(reply, cookies.knownBrowser, { value: mark, maxAgeS: MARK_LIFE_S }),
    clearSessionCookie: (reply) => cookies.set(reply, cookies.session, { value: '', maxAgeS: 0 }),
  };
}
