/** Access control of the window server: a browser with a one-time token, on this machine, at this address. */
import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

/**
 * The name contains the port because browsers share cookies between all ports of a machine, and two windows must not
 * overwrite each other's.
 */
const cookieName = (port: number): string => `parley-window-${port}`;
const SECRET_BYTES = 32;

export const createSecret = (): string => randomBytes(SECRET_BYTES).toString('base64url');

/** Proves knowledge of the key without revealing it. */
export const createProof = (key: string, message: string): string =>
  createHmac('sha256', key).update(message).digest('base64url');

/** Identifies a secret without revealing it. */
export const hashSecret = (secret: string): string => createHash('sha256').update(secret).digest('hex');

export function isSameSecret(given: string, secret: string): boolean {
  const left = Buffer.from(given);
  const right = Buffer.from(secret);
  return left.length === right.length && timingSafeEqual(left, right);
}

/** Protects against DNS rebinding: a foreign page that resolves its name to this machine sends another host header. */
export const hasExpectedHost = (request: IncomingMessage, port: number): boolean =>
  request.headers.host === `127.0.0.1:${port}`;

/** Browsers send no origin when loading a page, and always send one with a WebSocket. */
export const hasExpectedOrigin = (request: IncomingMessage, port: number): boolean =>
  request.headers.origin === `http://127.0.0.1:${port}`;

/** A browser may send several cookies of this name for different paths. */
export function hasSecretCookie(request: IncomingMessage, { secret, port }: { secret: string; port: number }): boolean {
  const name = cookieName(port);
  const cookies = (request.headers.cookie ?? '').split(';').map((cookie) => cookie.trim());
  return cookies.some((cookie) => cookie.startsWith(`${name}=`) && isSameSecret(cookie.slice(name.length + 1), secret));
}

/**
 * Cookies ignore ports, so a browser would send this one to any server on 127.0.0.1, even another user's. The cookie is
 * therefore bound to a secret path.
 */
export const formatSecretCookie = ({ secret, port, path }: { secret: string; port: number; path: string }): string =>
  `${cookieName(port)}=${secret}; HttpOnly; SameSite=Strict; Path=${path}`;
