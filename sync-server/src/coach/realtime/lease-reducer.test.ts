import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type LeaseEffect, type LeaseInput, type LeaseState, reduceLease, startOfLease } from './lease-reducer.ts';

const STARTED_AT_MS = Date.parse('2026-01-01T12:00:00Z');
const MINUTE_MS = 60_000;
const CHECK_EVERY_MS = 500;
const CHECK_INTERVAL_MS = 3_000;

/** A server that leases the learner's balance minute by minute, and answers each request once. */
class Fixture {
  nowMs = STARTED_AT_MS;
  state: LeaseState;
  /** The request that has not been answered. */
  asked: 'check' | 'renew' | null = null;
  expiresAtMs = 0;
  checkedAtMs = STARTED_AT_MS;
  readonly warnings: number[] = [];
  readonly last: LeaseEffect['type'][] = [];
  private readonly balanceEndsAtMs: number;

  constructor(balanceS: number | null) {
    this.balanceEndsAtMs = balanceS === null ? Number.POSITIVE_INFINITY : STARTED_AT_MS + balanceS * 1_000;
    this.state = startOfLease(this.lease(), this.nowMs);
  }

  private lease(): { expiresAt: string; remainingS: number | null } {
    this.expiresAtMs = Math.min(this.nowMs + MINUTE_MS, this.balanceEndsAtMs);
    const remainingS = Math.max(0, Math.floor((this.balanceEndsAtMs - this.nowMs) / 1_000));
    return {
      expiresAt: new Date(this.expiresAtMs).toISOString(),
      remainingS: Number.isFinite(remainingS) ? remainingS : null,
    };
  }

  input(input: LeaseInput): void {
    const { state, effects } = reduceLease(this.state, input, this.nowMs);
    this.state = state;
    for (const effect of effects) this.run(effect);
  }

  private run(effect: LeaseEffect): void {
    if (effect.type === 'reportExhausted' || effect.type === 'reportLost')
      expect(this.last, 'the checks stop before the session is told').toEqual(['stop']);
    else expect(this.last, 'nothing follows the end').toEqual([]);
    switch (effect.type) {
      case 'check':
      case 'renew':
        expect(this.asked, 'one question at a time').toBeNull();
        this.asked = effect.type;
        return;
      case 'warn':
        this.warnings.push(effect.remainingS);
        return;
      default:
        this.last.push(effect.type);
    }
  }

  confirm(): void {
    if (this.asked !== 'check') return;
    this.asked = null;
    this.checkedAtMs = this.nowMs;
    this.input({ type: 'confirmed' });
  }

  release(): void {
    if (this.asked !== 'check') return;
    this.asked = null;
    this.checkedAtMs = this.nowMs;
    this.input({ type: 'released' });
  }

  renew(): void {
    if (this.asked !== 'renew') return;
    this.asked = null;
    if (this.nowMs >= this.balanceEndsAtMs)
      this.input({ type: 'refused', isQuotaExhausted: true, error: new Error('quota.out') });
    else this.input({ type: 'renewed', lease: this.lease() });
  }

  refuse(): void {
    if (this.asked === null) return;
    this.asked = null;
    this.input({ type: 'refused', isQuotaExhausted: false, error: new Error('access.required') });
  }

  pass(ms: number): void {
    for (let passed = 0; passed < ms; passed += CHECK_EVERY_MS) {
      this.nowMs += CHECK_EVERY_MS;
      this.input({ type: 'timeChecked' });
    }
  }

  /** Advances the time; the server answers at once. */
  live(ms: number): void {
    for (let passed = 0; passed < ms; passed += CHECK_EVERY_MS) {
      this.pass(CHECK_EVERY_MS);
      this.confirm();
      this.renew();
    }
  }
}

type Action = (fixture: Fixture) => void;

const anAction: fc.Arbitrary<Action> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.integer({ min: 500, max: 20_000 }).map(
      (ms): Action =>
        (fixture) =>
          fixture.pass(ms),
    ),
  },
  { weight: 4, arbitrary: fc.constant<Action>((fixture) => fixture.confirm()) },
  { weight: 2, arbitrary: fc.constant<Action>((fixture) => fixture.release()) },
  { weight: 4, arbitrary: fc.constant<Action>((fixture) => fixture.renew()) },
);
const aBalanceS = fc.option(fc.integer({ min: 1, max: 900 }));

const inAnyOrder = (check: (fixture: Fixture, actions: Action[]) => void): void =>
  fc.assert(
    fc.property(aBalanceS, fc.array(anAction, { maxLength: 60 }), (balanceS, actions) =>
      check(new Fixture(balanceS), actions),
    ),
    { numRuns: 200 },
  );

describe('the lease of a realtime session, whatever the order of events', () => {
  it('asks one question at a time, and never lets the lease expire unasked', () => {
    inAnyOrder((fixture, actions) => {
      for (const action of actions) action(fixture);
      fixture.pass(CHECK_EVERY_MS);
      if (fixture.last.length > 0 || fixture.asked !== null) return;
      expect(fixture.nowMs).toBeLessThan(fixture.expiresAtMs);
      expect(fixture.nowMs - fixture.checkedAtMs).toBeLessThan(CHECK_INTERVAL_MS);
    });
  });

  it('ends when the allowance is used up', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 900 }), fc.array(anAction, { maxLength: 30 }), (balanceS, actions) => {
        const fixture = new Fixture(balanceS);
        for (const action of actions) action(fixture);
        fixture.release();
        fixture.renew();
        fixture.live(1_000_000);
        expect(fixture.last).toEqual(['stop', 'reportExhausted']);
      }),
      { numRuns: 50 },
    );
  });

  it('warns at five minutes and at one minute, once each', () => {
    fc.assert(
      fc.property(fc.integer({ min: 301, max: 900 }), (balanceS) => {
        const fixture = new Fixture(balanceS);
        fixture.live(balanceS * 1_000 - CHECK_EVERY_MS);
        expect(fixture.warnings.map((remainingS) => Math.ceil(remainingS / 60))).toEqual([5, 1]);
      }),
      { numRuns: 50 },
    );
  });

  it('does not warn a learner whose time is not limited', () => {
    const fixture = new Fixture(null);
    fixture.live(3_600_000);
    expect([fixture.warnings, fixture.last]).toEqual([[], []]);
  });

  it('ends once when it is refused or the session ends, then asks nothing', () => {
    fc.assert(
      fc.property(fc.array(anAction, { maxLength: 40 }), fc.boolean(), (actions, isRefused) => {
        const fixture = new Fixture(null);
        for (const action of actions) action(fixture);
        if (isRefused) {
          while (fixture.asked === null) fixture.pass(CHECK_EVERY_MS);
          fixture.refuse();
        } else fixture.input({ type: 'ended' });
        expect(fixture.last).toEqual(isRefused ? ['stop', 'reportLost'] : ['stop']);
        // Earlier requests may still be answered.
        for (const action of actions) action(fixture);
        fixture.input({ type: 'ended' });
        expect(fixture.last).toEqual(isRefused ? ['stop', 'reportLost'] : ['stop']);
      }),
      { numRuns: 200 },
    );
  });
});
