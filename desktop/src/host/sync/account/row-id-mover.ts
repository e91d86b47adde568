/**
 * Gives a row that moves to another learner's account an id that is derived from its old one and from both accounts.
 */
import { createHash } from 'node:crypto';

/** The random bits of a version 7 UUID (RFC 9562) after its time, version and variant. */
const MOVED_BITS = 0x0000_0000_0000_0fff_3fff_ffff_ffff_ffffn;

const maskOf = (accountId: string): bigint =>
  BigInt(`0x${createHash('sha256').update(`rows of ${accountId}`).digest('hex').slice(0, 32)}`) & MOVED_BITS;

/**
 * Returns a function that maps the ids of rows that move from one account to another. A row has one id in each account,
 * however it got there: moving it from A to B and on to C gives the same id as moving it from A to C, and moving it
 * back to A restores its first id. Bringing an export back therefore duplicates nothing. Exclusive or has this
 * property; a hash of the old id does not.
 */
export function rowIdMover({ from, to }: { from: string; to: string }): (id: string) => string {
  const mask = maskOf(from) ^ maskOf(to);
  return (id) => {
    const hex = (BigInt(`0x${id.replaceAll('-', '')}`) ^ mask).toString(16).padStart(32, '0');
    return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
  };
}
