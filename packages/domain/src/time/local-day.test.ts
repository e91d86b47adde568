import { describe, expect, it } from 'vitest';
import { localDayFormatter, nextLocalDay } from './local-day.ts';

describe('nextLocalDay', () => {
  it.each([
    ['an ordinary day', 'Europe/Berlin', '2026-11-18T10:00:00.000Z', '2026-11-18T23:00:00.000Z'],
    ['a day of 23 hours', 'Europe/Berlin', '2026-03-28T23:00:00.000Z', '2026-03-29T22:00:00.000Z'],
    ['a day of 25 hours', 'Europe/Berlin', '2026-10-24T22:00:00.000Z', '2026-10-25T23:00:00.000Z'],
    ['a day without a midnight', 'America/Santiago', '2026-09-05T12:00:00.000Z', '2026-09-06T04:00:00.000Z'],
    ['a skipped day', 'Pacific/Apia', '2011-12-30T09:59:59.999Z', '2011-12-30T10:00:00.000Z'],
    ['the last millisecond of a day', 'UTC', '2026-12-31T23:59:59.999Z', '2027-01-01T00:00:00.000Z'],
  ])('after %s starts when the date changes', (_what, timeZone, after, begins) => {
    expect(nextLocalDay(new Date(after), timeZone).toISOString()).toBe(begins);
  });

  it('is another day from its first millisecond, all year', () => {
    const dayOf = localDayFormatter('Europe/London');
    for (let at = new Date('2026-01-01T12:00:00.000Z'); at < new Date('2027-01-01');) {
      const next = nextLocalDay(at, 'Europe/London');
      expect(dayOf(next)).not.toBe(dayOf(at));
      expect(dayOf(new Date(next.getTime() - 1))).toBe(dayOf(at));
      at = new Date(next.getTime() + 12 * 3_600_000);
    }
  });
});
