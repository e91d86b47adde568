import { afterEach, expect, it } from 'vitest';
import { setSchoolTimeZone } from '../screen/time-zone.ts';
import { csvDay, csvTime } from './csv.ts';

afterEach(() => setSchoolTimeZone('UTC'));

it('writes days and times as spreadsheets read them, in the time zone of the school', () => {
  setSchoolTimeZone('Asia/Tokyo');
  expect(csvTime('2026-12-24T18:05:00.000Z')).toBe('2026-12-25 03:05');
  expect(csvDay('2026-12-24T18:05:00.000Z')).toBe('2026-12-25');
  expect([csvTime(null), csvDay(null)]).toEqual(['', '']);
});
