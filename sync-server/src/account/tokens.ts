/** Secrets that only their owner knows: the server keeps hashes. */
import { createHash, createHmac, randomBytes, randomInt, timingSafeEqual } from 'node:crypto';

const TOKEN_BYTES = 32;
/** Without look-alikes: no I, O, 0, 1. */
const CODE_LETTERS = 'ABCDEFGHJKLMNPQRSTUVWXYZ23456789';
const CODE_GROUP = 4;

/** The device's id and a secret, so that a lookup needs no search by hash. */
export const newToken = (deviceId: string): string => `${deviceId}.${randomBytes(TOKEN_BYTES).toString('base64url')}`;

export const hashSecret = (secret: string): string => createHash('sha256').update(secret).digest('hex');

export function isSameHash(a: string, b: string): boolean {
  const left = Buffer.from(a, 'hex');
  const right = Buffer.from(b, 'hex');
  return left.length === right.length && timingSafeEqual(left, right);
}

/** Forty bits: enough for ten minutes behind a rate limit. */
export function newLinkCode(): string {
  const group = (): string =>
    Array.from({ length: CODE_GROUP }, () => CODE_LETTERS.charAt(randomInt(CODE_LETTERS.length))).join('');
  return `${group()}-${group()}`;
}

const LINK_BYTES = 32;
const CODE_DIGITS = 6;

/** 256 bits, as they stand in the address of a link or in a cookie. */
export const newSecret = (): string => randomBytes(LINK_BYTES).toString('base64url');

export const newSignInCode = (): string => String(randomInt(10 ** CODE_DIGITS)).padStart(CODE_DIGITS, '0');

/** Of what is short enough to be guessed from a plain hash: with a key that the database does not hold. */
export const keyedHash = (key: string, text: string): string => createHmac('sha256', key).update(text).digest('hex');
