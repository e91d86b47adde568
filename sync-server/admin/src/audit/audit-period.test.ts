import { afterEach, expect, it } from 'vitest';
import { setSchoolTimeZone } from '../foundation/screen/time-zone.ts';
import { auditPeriod } from './audit-period.ts';

afterEach(() => setSchoolTimeZone('UTC'));

it('goes from the beginning of the first day to the end of the last, in the time zone of the school', () => {
  setSchoolTimeZone('Europe/Berlin');
  expect(auditPeriod({ from: '2026-10-25', until: '2026-12-31' })).toEqual({
    from: '2026-10-24T22:00:00.000Z',
    until: '2026-12-31T23:00:00.000Z',
  });
});

it.each([
  [undefined, undefined],
  ['yesterday', ''],
  ['2026-1-1', '20261123'],
  ['2026-13-01', '2026-00-10'],
  ['0002-12-24', '0202-12-24'],
  ['1999-12-31', '12026-12-24'],
])('ignores a value that is not a day: %s, %s', (from, until) => {
  expect(auditPeriod({ from, until })).toEqual({});
});
