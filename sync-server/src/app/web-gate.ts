/** Who asks from a browser: by the session's cookie, with the right to be an admin looked up anew each time. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type Access, WEB_SESSION_DAYS, type WebSession, type WebSessions } from '../account/index.ts';
import { failure } from '../failure.ts';
import { type CookieJar, readCookie } from './cookies.ts';

export interface WebGate {
  /** Null: nobody is signed in. A session that goes on is handed out again for as long as it lasts now. */
  session: (request: FastifyRequest, reply?: FastifyReply) => Promise<WebSession | null>;
  /** Throws `auth.required`, and `auth.forbidden` where an admin is wanted and somebody else asks. */
  requireWebSession: (request: FastifyRequest, wanted: { admin: boolean; reply?: FastifyReply }) => Promise<WebSession>;
  /** As the browser sent it. */
  cookieOf: (request: FastifyRequest) => string | undefined;
  handOut: (reply: FastifyReply, cookie: string) => void;
  forget: (reply: FastifyReply) => void;
  /** What `handOutMark` gave this browser; it outlives the session. */
  markOf: (request: FastifyRequest) => string | undefined;
  handOutMark: (reply: FastifyReply, mark: string) => void;
}

const LIFE_S = WEB_SESSION_DAYS * 24 * 3_600;
const MARK_LIFE_S = 365 * 24 * 3_600;

export interface WebGateParts {
  webSessions: WebSessions;
  access: Pick<Access, 'requireAdmin'>;
  cookies: CookieJar;
}

export function createWebGate({ webSessions, access, cookies }: WebGateParts): WebGate {
  const cookieOf = ({ headers }: FastifyRequest): string | undefined => readCookie(headers.cookie, cookies.session);
  const handOut = (reply: FastifyReply, cookie: string): void =>
    void reply.header('set-cookie', cookies.set(cookies.session, cookie, LIFE_S));

  const session: WebGate['session'] = async (request, reply) => {
    const cookie = cookieOf(request);
    const found = await webSessions.read(cookie);
    if (found?.hasSlid === true && reply !== undefined && cookie !== undefined) handOut(reply, cookie);
    return found;
  };

  return {
    session,
    async requireWebSession(request, { admin, reply }) {
      const found = await session(request, reply);
      if (found === null) throw failure('auth.required');
      if (admin) await access.requireAdmin(found.userId);
      return found;
    },
    cookieOf,
    handOut,
    markOf: ({ headers }) => readCookie(headers.cookie, cookies.known),
    handOutMark: (reply, mark) => void reply.header('set-cookie', cookies.set(cookies.known, mark, MARK_LIFE_S)),
    forget: (reply) => void reply.header('set-cookie', cookies.set(cookies.session, '', 0)),
  };
}
