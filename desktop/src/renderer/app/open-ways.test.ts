import type { AccountState, CoachOffer } from '@parley/contract';
import { describe, expect, it } from 'vitest';
import { openWays } from './open-ways.ts';

const service = { where: 'own', name: 'a model' } as const;
const OFFER: CoachOffer = { coach: service, transcriber: service, scorer: null, voice: null, realtime: service };

type Minutes = { allowedS: number; leftS: number } | null;

const aState = (
  liveAccess: AccountState['liveAccess'],
  { live = null, calls = null }: { live?: Minutes; calls?: Minutes } = {},
): AccountState => ({
  isFresh: true,
  hasServer: true,
  isSignedOut: false,
  liveAccess,
  known: {
    at: new Date(0),
    account: {
      email: 'ada@example.com',
      mustBeGranted: true,
      hasAccess: liveAccess === 'granted',
      waitingSince: null,
      accessTaken: null,
      isAdmin: false,
      plan: 'FREE',
      live,
      calls,
      resetsAt: null,
      subscription: null,
      mayTry: true,
      eraseAt: null,
    },
  },
});

const some = { allowedS: 600, leftS: 60 };
const used = { allowedS: 600, leftS: 0 };
const never = { allowedS: 0, leftS: 0 };

describe('the ways with a live coach', () => {
  it.each([
    ['where nothing is counted', aState('granted'), 'open', 'open'],
    ['with minutes left', aState('granted', { live: some, calls: some }), 'open', 'open'],
    ['of a plan without calls', aState('granted', { live: some, calls: never }), 'open', 'not_in_plan'],
    ['when calls are used up', aState('granted', { live: some, calls: used }), 'open', 'no_minutes'],
    ['when all minutes are used up', aState('granted', { live: used, calls: used }), 'no_minutes', null],
    ['for who waits', aState('waiting', { live: some, calls: some }), 'waiting', null],
    ['for who is not signed in', aState('sign_in', { live: some, calls: some }), 'sign_in', null],
  ] as const)('%s', (_what, state, live, call) => {
    expect(openWays({ offer: OFFER, state, style: 'audio' })).toEqual({ live, call });
  });

  it('in writing cost no minutes, and are no calls', () => {
    expect(openWays({ offer: OFFER, state: aState('granted', { live: used, calls: used }), style: 'text' })).toEqual({
      live: 'open',
      call: null,
    });
  });

  it('are none without a coach, or before anybody has said so', () => {
    const state = aState('granted');
    expect(openWays({ offer: { ...OFFER, coach: null }, state, style: 'audio' })).toEqual({ live: null, call: null });
    expect(openWays({ offer: undefined, state, style: 'audio' })).toEqual({ live: null, call: null });
    expect(openWays({ offer: OFFER, state: undefined, style: 'audio' })).toEqual({ live: null, call: null });
  });
});
