/** Who may speak to the shell: a browser that was let in with a one-time token, from this machine, at this address. */
import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

/** Browsers keep one set of cookies for all ports of a machine: another window, or the server's pages, must not overwrite this one. */
const cookieName = (port: number): string => `parley-window-${port}`;
const SECRET_BYTES = 32;

export const newSecret = (): string => randomBytes(SECRET_BYTES).toString('base64url');

/** Proves that its sender knows the key, without telling it. */
export const proofOf = (key: string, message: string): string =>
  createHmac('sha256', key).update(message).digest('base64url');

/** Names a secret without telling it. */
export const fingerprintOf = (secret: string): string => createHash('sha256').update(secret).digest('hex');

export function isSameSecret(given: string, secret: string): boolean {
  const left = Buffer.from(given);
  const right = Buffer.from(secret);
  return left.length === right.length && timingSafeEqual(left, right);
}

/** A page elsewhere that points its own name at this machine (DNS rebinding) sends another host. */
export const isOurHost = (request: IncomingMessage, port: number): boolean =>
  request.headers.host === `127.0.0.1:${port}`;

/** Browsers send no origin with a plain page load, and always one with a WebSocket. */
export const isOurOrigin = (request: IncomingMessage, port: number): boolean =>
  request.headers.origin === `http://127.0.0.1:${port}`;

/** A browser may send several cookies of this name, for other paths. */
export function bearsSecret(request: IncomingMessage, { secret, port }: { secret: string; port: number }): boolean {
  const name = cookieName(port);
  const cookies = (request.headers.cookie ?? '').split(';').map((cookie) => cookie.trim());
  return cookies.some((cookie) => cookie.startsWith(`${name}=`) && isSameSecret(cookie.slice(name.length + 1), secret));
}

/**
 * Cookies know no ports: a browser sends ours to each server on 127.0.0.1, and another user of this computer may run one. So it is bound
 * to a path that only our page has.
 */
export const secretCookie = ({ secret, port, path }: { secret: string; port: number; path: string }): string =>
  `${cookieName(port)}=${secret}; HttpOnly; SameSite=Strict; Path=${path}`;
