/** Who may speak to the shell: the one window that was opened with this launch's secret, from this machine, at this address. */
import { randomBytes, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

/** Browsers keep one set of cookies for all ports of a machine: another window, or the server's pages, must not overwrite this one. */
const cookieName = (port: number): string => `parley-window-${port}`;
const SECRET_BYTES = 32;

export const newSecret = (): string => randomBytes(SECRET_BYTES).toString('base64url');

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

export function bearsSecret(request: IncomingMessage, { secret, port }: { secret: string; port: number }): boolean {
  const name = cookieName(port);
  const cookies = (request.headers.cookie ?? '').split(';').map((cookie) => cookie.trim());
  const given = cookies.find((cookie) => cookie.startsWith(`${name}=`))?.slice(name.length + 1);
  return given !== undefined && isSameSecret(given, secret);
}

export const secretCookie = ({ secret, port }: { secret: string; port: number }): string =>
  `${cookieName(port)}=${secret}; HttpOnly; SameSite=Strict; Path=/`;
