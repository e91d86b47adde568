import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { formatDateTime, formatDay } from './format.ts';
import { endOfDay, fromFieldTime, panelTimeZone, setSchoolTimeZone, toFieldDay, toFieldTime } from './time-zone.ts';

const LATE = '2026-12-25T02:30:00.000Z';

afterEach(() => {
  vi.unstubAllEnvs();
  setSchoolTimeZone('UTC');
});

describe('in the time zone of the school', () => {
  beforeEach(() => setSchoolTimeZone('America/Sao_Paulo'));

  it('days and times are written', () => {
    expect([formatDay(LATE), formatDateTime(LATE)]).toEqual(['24 Dec 2026', '24 Dec 2026, 23:30']);
    expect(formatDay('2026-12-21T00:00:00.000Z', 'UTC')).toBe('21 Dec 2026');
  });

  it('fields show days and times, and read them', () => {
    expect([toFieldDay(LATE), toFieldTime(LATE)]).toEqual(['2026-12-24', '2026-12-24T23:30']);
    expect(fromFieldTime('2026-12-24T23:30')).toBe(LATE);
  });

  it('a day ends', () => {
    expect(endOfDay('2026-12-24')).toBe('2026-12-25T02:59:59.000Z');
  });
});

it.each(['UTC', 'Mars/Olympus'])('uses UTC, wherever the browser is, when the school’s time zone is %s', (timeZone) => {
  vi.stubEnv('TZ', 'Asia/Tokyo');
  setSchoolTimeZone(timeZone);
  expect(toFieldTime(LATE)).toBe('2026-12-25T02:30');
  expect(panelTimeZone()).toBe('UTC');
});
