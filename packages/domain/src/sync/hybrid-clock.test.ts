import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { clampHybridTime, formatHybridTime, isLater, nextHybridTime, parseHybridTime } from './hybrid-clock.ts';

const deviceId = '019aa000-0000-7000-8000-00000000000a';
const MAX_MS = 9_999_999_999_998;
/** Any time, or one of a few, so that some edits are made in the same millisecond. */
const wallTime = fc.oneof(fc.integer({ min: 0, max: MAX_MS }), fc.integer({ min: 0, max: 3 }));

describe('hybrid clock', () => {
  it('always moves forward, whatever the wall clock does', () => {
    fc.assert(
      fc.property(fc.array(wallTime, { minLength: 2, maxLength: 50 }), (wallTimes) => {
        let last: string | null = null;
        for (const ms of wallTimes) {
          const next = nextHybridTime(last, { ms, deviceId });
          expect(isLater(next, last)).toBe(true);
          last = next;
        }
      }),
    );
  });

  it('survives a round trip and sorts as text', () => {
    const time = fc.record({
      ms: fc.integer({ min: 0, max: MAX_MS }),
      counter: fc.integer({ min: 0, max: 0xffff }),
      deviceId: fc.constant(deviceId),
    });
    fc.assert(
      fc.property(time, time, (a, b) => {
        expect(parseHybridTime(formatHybridTime(a))).toEqual(a);
        const isAfter = a.ms > b.ms || (a.ms === b.ms && a.counter > b.counter);
        expect(isLater(formatHybridTime(a), formatHybridTime(b))).toBe(isAfter);
      }),
    );
  });

  it('continues when the counter overflows', () => {
    const full = formatHybridTime({ ms: 5, counter: 0xffff, deviceId });
    expect(nextHybridTime(full, { ms: 1, deviceId })).toBe(formatHybridTime({ ms: 6, counter: 0, deviceId }));
  });

  it('continues after times from other devices when its clock is behind', () => {
    const others = formatHybridTime({ ms: 600_000, counter: 7, deviceId: 'another' });
    const received = formatHybridTime({ ms: 600_000, counter: 0xffff, deviceId });
    const next = nextHybridTime(received, { ms: 0, deviceId });
    expect(isLater(next, others)).toBe(true);
  });

  it('limits a clock that is a day ahead to a lead of one minute', () => {
    const aDayAhead = nextHybridTime(null, { ms: 86_400_000, deviceId });
    expect(parseHybridTime(clampHybridTime(aDayAhead, 0)).ms).toBe(60_000);
    const onTime = nextHybridTime(null, { ms: 10, deviceId });
    expect(clampHybridTime(onTime, 0)).toBe(onTime);
  });
});
