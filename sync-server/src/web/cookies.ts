/** Names, reads and writes the server's cookies, which no script can read. */
import type { FastifyReply, FastifyRequest } from 'fastify';

export interface CookieJar {
  session: string;
  /** Identifies a browser that is not signed in. */
  form: string;
  /**
   * Identifies a browser in which the owner of an address has signed in before; sign-in e-mails that it requests are limited separately.
   */
  knownBrowser: string;
  /** The language that the visitor chose in the address of a page. */
  language: string;
  /** Returns undefined when the browser did not send the cookie. */
  read: (request: FastifyRequest, name: string) => string | undefined;
  set: (reply: FastifyReply, name: string, cookie: { value: string; maxAgeS: number }) => void;
}

/**
 * Browsers enforce the attributes below for the `__Host-` prefix, but reject the prefix without TLS, so a development server uses other
 * names. Browsers share cookies between all ports of a host, so the name includes the port.
 */
export function createCookieJar({ isSecure, origin }: { isSecure: boolean; origin: string }): CookieJar {
  const { port } = new URL(origin);
  const prefix = isSecure ? '__Host-parley' : 'parley-web';
  const name = port === '' ? prefix : `${prefix}-${port}`;
  return {
    session: name,
    form: `${name}-form`,
    knownBrowser: `${name}-known`,
    language: `${name}-language`,
    read: ({ cookies }, name) => cookies[name],
    set: (reply, name, { value, maxAgeS }) =>
      void reply.setCookie(name, value, {
        maxAge: maxAgeS,
        path: '/',
        httpOnly: true,
        sameSite: 'lax',
        secure: isSecure,
      }),
  };
}
