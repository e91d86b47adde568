/** Creates secrets and the hashes under which the server stores them. */
import { hash, createHmac, randomBytes, randomInt, timingSafeEqual } from 'node:crypto';

const TOKEN_BYTES = 32;
/** The alphabet has no look-alikes such as I, O, 0 and 1. */
const CODE_ALPHABET = 'ABCDEFGHJKLMNPQRSTUVWXYZ23456789';
const CODE_GROUP_LENGTH = 4;

/** The token starts with the device's id, so that no search by hash is needed. */
export const generateDeviceToken = (deviceId: string): string =>
  `${deviceId}.${randomBytes(TOKEN_BYTES).toString('base64url')}`;

export const hashSecret = (secret: string): string => hash('sha256', secret, 'hex');

export function isSameHash(a: string, b: string): boolean {
  const left = Buffer.from(a, 'hex');
  const right = Buffer.from(b, 'hex');
  return left.length === right.length && timingSafeEqual(left, right);
}

/** 40 bits are enough for ten minutes behind a rate limit. */
export function generateLinkCode(): string {
  const group = (): string =>
    Array.from({ length: CODE_GROUP_LENGTH }, () => CODE_ALPHABET.charAt(randomInt(CODE_ALPHABET.length))).join('');
  return `${group()}-${group()}`;
}

const LINK_BYTES = 32;
const CODE_DIGITS = 6;

/** 256 bits, encoded for a URL or a cookie. */
export const generateSecret = (): string => randomBytes(LINK_BYTES).toString('base64url');

export const generateSignInCode = (): string => String(randomInt(10 ** CODE_DIGITS)).padStart(CODE_DIGITS, '0');

/** For texts that are short enough to be guessed from a plain hash. The key is not in the database. */
export const keyedHash = (key: string, text: string): string => createHmac('sha256', key).update(text).digest('hex');
