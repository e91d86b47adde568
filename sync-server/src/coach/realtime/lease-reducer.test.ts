import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type LeaseEffect, type LeaseInput, type LeaseState, reduceLease, startOfLease } from './lease-reducer.ts';

const STARTED_AT_MS = Date.parse('2026-01-01T12:00:00Z');
const MINUTE_MS = 60_000;
const CHECK_EVERY_MS = 500;
const CHECK_INTERVAL_MS = 3_000;

/** A server that leases the learner's balance minute by minute, and answers each question once. */
class World {
  nowMs = STARTED_AT_MS;
  state: LeaseState;
  /** The question that has not been answered. */
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

  /** Time passes, and the server answers at once. */
  live(ms: number): void {
    for (let passed = 0; passed < ms; passed += CHECK_EVERY_MS) {
      this.pass(CHECK_EVERY_MS);
      this.confirm();
      this.renew();
    }
  }
}

type Action = (world: World) => void;

const anAction: fc.Arbitrary<Action> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.integer({ min: 500, max: 20_000 }).map(
      (ms): Action =>
        (world) =>
          world.pass(ms),
    ),
  },
  { weight: 4, arbitrary: fc.constant<Action>((world) => world.confirm()) },
  { weight: 2, arbitrary: fc.constant<Action>((world) => world.release()) },
  { weight: 4, arbitrary: fc.constant<Action>((world) => world.renew()) },
);
const aBalanceS = fc.option(fc.integer({ min: 1, max: 900 }));

const inAnyOrder = (check: (world: World, actions: Action[]) => void): void =>
  fc.assert(
    fc.property(aBalanceS, fc.array(anAction, { maxLength: 60 }), (balanceS, actions) =>
      check(new World(balanceS), actions),
    ),
    { numRuns: 200 },
  );

describe('the lease of a realtime session, whatever the order of events', () => {
  it('asks one question at a time, and never lets the lease expire unasked', () => {
    inAnyOrder((world, actions) => {
      for (const action of actions) action(world);
      world.pass(CHECK_EVERY_MS);
      if (world.last.length > 0 || world.asked !== null) return;
      expect(world.nowMs).toBeLessThan(world.expiresAtMs);
      expect(world.nowMs - world.checkedAtMs).toBeLessThan(CHECK_INTERVAL_MS);
    });
  });

  it('ends when the allowance is used up', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 900 }), fc.array(anAction, { maxLength: 30 }), (balanceS, actions) => {
        const world = new World(balanceS);
        for (const action of actions) action(world);
        world.release();
        world.renew();
        world.live(1_000_000);
        expect(world.last).toEqual(['stop', 'reportExhausted']);
      }),
      { numRuns: 50 },
    );
  });

  it('warns at five minutes and at one minute, once each', () => {
    fc.assert(
      fc.property(fc.integer({ min: 301, max: 900 }), (balanceS) => {
        const world = new World(balanceS);
        world.live(balanceS * 1_000 - CHECK_EVERY_MS);
        expect(world.warnings.map((remainingS) => Math.ceil(remainingS / 60))).toEqual([5, 1]);
      }),
      { numRuns: 50 },
    );
  });

  it('does not warn a learner whose time is not limited', () => {
    const world = new World(null);
    world.live(3_600_000);
    expect([world.warnings, world.last]).toEqual([[], []]);
  });

  it('ends once when it is refused or when the session ends, and asks nothing afterwards', () => {
    fc.assert(
      fc.property(fc.array(anAction, { maxLength: 40 }), fc.boolean(), (actions, isRefused) => {
        const world = new World(null);
        for (const action of actions) action(world);
        if (isRefused) {
          while (world.asked === null) world.pass(CHECK_EVERY_MS);
          world.refuse();
        } else world.input({ type: 'ended' });
        expect(world.last).toEqual(isRefused ? ['stop', 'reportLost'] : ['stop']);
        // What was asked before may still be answered.
        for (const action of actions) action(world);
        world.input({ type: 'ended' });
        expect(world.last).toEqual(isRefused ? ['stop', 'reportLost'] : ['stop']);
      }),
      { numRuns: 200 },
    );
  });
});
