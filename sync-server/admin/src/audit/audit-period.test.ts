import { expect, it } from 'vitest';
import { auditPeriod } from './audit-period.ts';

it('goes from the beginning of the first day to the end of the last, where the admin is', () => {
  expect(auditPeriod({ from: '2026-11-23', until: '2026-11-30' })).toEqual({
    from: new Date(2026, 10, 23).toISOString(),
    until: new Date(2026, 11, 1).toISOString(),
  });
});

it.each([
  [undefined, undefined],
  ['yesterday', ''],
  ['2026-1-1', '20261123'],
])('ignores what is no day: %s, %s', (from, until) => {
  expect(auditPeriod({ from, until })).toEqual({});
});
