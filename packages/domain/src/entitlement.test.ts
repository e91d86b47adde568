import { describe, expect, it } from 'vitest';
import { ENTITLEMENT_HOLDS_MS, entitlementOf, type KnownAccess } from './entitlement.ts';

const confirmedAt = new Date('2026-11-18T10:00:00Z');
const known = (changes: Partial<KnownAccess> = {}): KnownAccess => ({
  email: 'ada@example.com',
  mustBeGranted: true,
  hasAccess: true,
  isTaken: false,
  confirmedAt,
  ...changes,
});
const after = (ms: number): Date => new Date(confirmedAt.getTime() + ms);

describe('who may begin a practice', () => {
  it.each([
    ['nobody has met a server', null, 0, 'granted'],
    ['the account is of devices alone', known({ email: null, hasAccess: false }), 0, 'granted'],
    ['the server lets everybody in', known({ mustBeGranted: false, hasAccess: false }), 0, 'granted'],
    ['access was not granted', known({ hasAccess: false }), 0, 'waiting'],
    ['access was taken away', known({ hasAccess: false, isTaken: true }), 0, 'taken'],
    ['access was granted a moment ago', known(), 0, 'granted'],
    ['it was confirmed almost three days ago', known(), ENTITLEMENT_HOLDS_MS - 1, 'granted'],
    ['it was confirmed three days ago', known(), ENTITLEMENT_HOLDS_MS, 'unconfirmed'],
  ] as const)('%s', (_what, state, ms, expected) => {
    expect(entitlementOf(state, after(ms))).toBe(expected);
  });
});
