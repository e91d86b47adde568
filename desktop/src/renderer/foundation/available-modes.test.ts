import type { AccountState, CoachAvailability } from '@parley/contract';
import { describe, expect, it } from 'vitest';
import { findAvailableModes } from './available-modes.ts';

const service = { where: 'own', name: 'a model' } as const;
const OFFER: CoachAvailability = { coach: service, transcriber: service, scorer: null, voice: null, realtime: service };

type Allowance = { allowedS: number; leftS: number } | null;

const aState = (
  liveAccess: AccountState['liveAccess'],
  { live = null, calls = null }: { live?: Allowance; calls?: Allowance } = {},
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

const withMinutesLeft = { allowedS: 600, leftS: 60 };
const usedUp = { allowedS: 600, leftS: 0 };
const notInPlan = { allowedS: 0, leftS: 0 };

describe('available modes with a model coach', () => {
  it.each([
    ['when usage is not metered', aState('granted'), 'open', 'open'],
    ['with minutes left', aState('granted', { live: withMinutesLeft, calls: withMinutesLeft }), 'open', 'open'],
    [
      'on a plan without realtime sessions',
      aState('granted', { live: withMinutesLeft, calls: notInPlan }),
      'open',
      'not_in_plan',
    ],
    [
      'when the realtime minutes are used up',
      aState('granted', { live: withMinutesLeft, calls: usedUp }),
      'open',
      'no_minutes',
    ],
    ['when all minutes are used up', aState('granted', { live: usedUp, calls: usedUp }), 'no_minutes', null],
    [
      'while the learner waits for access',
      aState('waiting', { live: withMinutesLeft, calls: withMinutesLeft }),
      'waiting',
      null,
    ],
    [
      'when the learner is not signed in',
      aState('sign_in', { live: withMinutesLeft, calls: withMinutesLeft }),
      'sign_in',
      null,
    ],
  ] as const)('%s', (_what, state, live, call) => {
    expect(findAvailableModes({ offer: OFFER, state, style: 'audio' })).toEqual({ live, call });
  });

  it('in writing use no minutes and exclude realtime sessions', () => {
    expect(
      findAvailableModes({ offer: OFFER, state: aState('granted', { live: usedUp, calls: usedUp }), style: 'text' }),
    ).toEqual({
      live: 'open',
      call: null,
    });
  });

  it('are null without a coach or before the server has answered', () => {
    const state = aState('granted');
    expect(findAvailableModes({ offer: { ...OFFER, coach: null }, state, style: 'audio' })).toEqual({
      live: null,
      call: null,
    });
    expect(findAvailableModes({ offer: undefined, state, style: 'audio' })).toEqual({ live: null, call: null });
    expect(findAvailableModes({ offer: OFFER, state: undefined, style: 'audio' })).toEqual({ live: null, call: null });
  });
});
