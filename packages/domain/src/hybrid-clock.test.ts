import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  clampHybridTime,
  formatHybridTime,
  isLater,
  lastHybridTimeAt,
  nextHybridTime,
  parseHybridTime,
} from './hybrid-clock.ts';

const deviceId = '019aa000-0000-7000-8000-00000000000a';
const MAX_MS = 9_999_999_999_998;

describe('a hybrid clock', () => {
  it('moves forward whatever the wall clock does', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: MAX_MS }), { minLength: 2, maxLength: 50 }), (wallTimes) => {
        let last: string | null = null;
        for (const ms of wallTimes) {
          const next = nextHybridTime(last, { ms, deviceId });
          expect(isLater(next, last)).toBe(true);
          last = next;
        }
      }),
    );
  });

  it('reads back what it wrote, and sorts as text as it does in time', () => {
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

  it('goes on when the counter is full', () => {
    const full = formatHybridTime({ ms: 5, counter: 0xffff, deviceId });
    expect(nextHybridTime(full, { ms: 1, deviceId })).toBe(formatHybridTime({ ms: 6, counter: 0, deviceId }));
  });

  it('goes on after what others have written, though its wall clock is behind theirs', () => {
    const others = formatHybridTime({ ms: 600_000, counter: 7, deviceId: 'another' });
    const next = nextHybridTime(lastHybridTimeAt(600_000, deviceId), { ms: 0, deviceId });
    expect(isLater(next, others)).toBe(true);
  });

  it('lets a clock that is a day ahead win by a minute only', () => {
    const aDayAhead = nextHybridTime(null, { ms: 86_400_000, deviceId });
    expect(parseHybridTime(clampHybridTime(aDayAhead, 0)).ms).toBe(60_000);
    const onTime = nextHybridTime(null, { ms: 10, deviceId });
    expect(clampHybridTime(onTime, 0)).toBe(onTime);
  });
});
