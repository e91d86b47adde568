import { describe, expect, it } from 'vitest';
import { type KnownAccess, LIVE_ACCESS_HOLDS_MS, liveAccessOf } from './live-access.ts';

const confirmedAt = new Date('2026-11-18T10:00:00Z');
const known = (changes: Partial<KnownAccess> = {}): KnownAccess => ({
  email: 'ada@example.com',
  mustBeGranted: true,
  hasAccess: true,
  isTaken: false,
  confirmedAt,
  ...changes,
});

describe('who may talk with a live coach', () => {
  it.each([
    ['nobody has met a server', null, { afterMs: 0 }, 'granted'],
    [
      'an account of devices alone on a server that lets everybody in',
      known({ email: null, mustBeGranted: false }),
      { afterMs: 2 * LIVE_ACCESS_HOLDS_MS },
      'granted',
    ],
    ['one on a server that does not', known({ email: null, hasAccess: false }), { afterMs: 0 }, 'sign_in'],
    ['the server lets everybody in', known({ mustBeGranted: false }), { afterMs: 2 * LIVE_ACCESS_HOLDS_MS }, 'granted'],
    ['access was not granted', known({ hasAccess: false }), { afterMs: 0 }, 'waiting'],
    ['access was taken away', known({ hasAccess: false, isTaken: true }), { afterMs: 0 }, 'taken'],
    ['access was granted a moment ago', known(), { afterMs: 0 }, 'granted'],
    ['it was confirmed almost three days ago', known(), { afterMs: LIVE_ACCESS_HOLDS_MS - 1 }, 'granted'],
    ['it was confirmed three days ago', known(), { afterMs: LIVE_ACCESS_HOLDS_MS }, 'unconfirmed'],
    ['who had access has signed out', known(), { afterMs: 0, isSignedOut: true }, 'sign_in'],
    ['who waited for it has signed out', known({ hasAccess: false }), { afterMs: 0, isSignedOut: true }, 'sign_in'],
  ] as const)('%s', (_what, state, { afterMs, ...rest }, expected) => {
    const now = new Date(confirmedAt.getTime() + afterMs);
    expect(liveAccessOf(state, { isSignedOut: 'isSignedOut' in rest, now })).toBe(expected);
  });
});
