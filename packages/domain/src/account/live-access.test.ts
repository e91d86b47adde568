import { describe, expect, it } from 'vitest';
import { type AccessSnapshot, LIVE_ACCESS_TTL_MS, liveAccessOf } from './live-access.ts';

const confirmedAt = new Date('2026-11-18T10:00:00Z');
const known = (changes: Partial<AccessSnapshot> = {}): AccessSnapshot => ({
  email: 'ada@example.com',
  mustBeGranted: true,
  hasAccess: true,
  isTaken: false,
  confirmedAt,
  ...changes,
});

describe('liveAccessOf', () => {
  it.each([
    ['the device has never reached a server', null, { afterMs: 0 }, 'granted'],
    [
      'an anonymous account on an open server',
      known({ email: null, mustBeGranted: false }),
      { afterMs: 2 * LIVE_ACCESS_TTL_MS },
      'granted',
    ],
    ['one on a server that does not', known({ email: null, hasAccess: false }), { afterMs: 0 }, 'sign_in'],
    ['the server is open', known({ mustBeGranted: false }), { afterMs: 2 * LIVE_ACCESS_TTL_MS }, 'granted'],
    ['access was not granted', known({ hasAccess: false }), { afterMs: 0 }, 'waiting'],
    ['access was revoked', known({ hasAccess: false, isTaken: true }), { afterMs: 0 }, 'taken'],
    ['access was just granted', known(), { afterMs: 0 }, 'granted'],
    ['access was confirmed almost three days ago', known(), { afterMs: LIVE_ACCESS_TTL_MS - 1 }, 'granted'],
    ['access was confirmed three days ago', known(), { afterMs: LIVE_ACCESS_TTL_MS }, 'unconfirmed'],
    ['a learner with access signed out', known(), { afterMs: 0, isSignedOut: true }, 'sign_in'],
    ['a learner without access signed out', known({ hasAccess: false }), { afterMs: 0, isSignedOut: true }, 'sign_in'],
  ] as const)('%s', (_what, state, { afterMs, ...rest }, expected) => {
    const now = new Date(confirmedAt.getTime() + afterMs);
    expect(liveAccessOf(state, { isSignedOut: 'isSignedOut' in rest, now })).toBe(expected);
  });
});
