/** The few cookies of this server: only for its own pages, out of every script's reach. */

/** Undefined where the browser sends none of that name. */
export function readCookie(header: string | undefined, name: string): string | undefined {
  for (const pair of (header ?? '').split(';')) {
    const at = pair.indexOf('=');
    if (at > 0 && pair.slice(0, at).trim() === name) return pair.slice(at + 1).trim();
  }
  return undefined;
}

export interface CookieJar {
  session: string;
  /** Of a browser that nobody is signed in with yet. */
  form: string;
  /** Of a browser in which the owner of an address has signed in: it has messages of its own. */
  known: string;
  set: (name: string, value: string, maxAgeS: number) => string;
}

/**
 * `__Host-` makes browsers insist on what is asked here. Without TLS they would refuse it: a development server has other names. Browsers
 * keep one set of cookies for all ports of a machine, so the port is part of the name.
 */
export function cookieJar({ isSecure, origin }: { isSecure: boolean; origin: string }): CookieJar {
  const { port } = new URL(origin);
  const [prefix, secure] = isSecure ? ['__Host-parley', '; Secure'] : ['parley-web', ''];
  const name = port === '' ? prefix : `${prefix}-${port}`;
  return {
    session: name,
    form: `${name}-form`,
    known: `${name}-known`,
    set: (name, value, maxAgeS) => `${name}=${value}; Max-Age=${maxAgeS}; Path=/; HttpOnly; SameSite=Lax${secure}`,
  };
}
