import { expect, it } from 'vitest';
import { fromWallTime, toWallTime } from './wall-time.ts';

it.each([
  ['Europe/Lisbon', '2026-12-24T23:59', '2026-12-24T23:59:00.000Z'],
  ['America/Sao_Paulo', '2026-12-24T23:59', '2026-12-25T02:59:00.000Z'],
  ['Asia/Kolkata', '2026-12-24T00:00', '2026-12-23T18:30:00.000Z'],
  ['Pacific/Kiritimati', '2026-12-24T00:00', '2026-12-23T10:00:00.000Z'],
  ['Europe/Berlin', '2026-03-29T12:00', '2026-03-29T10:00:00.000Z'],
  ['UTC', '0002-12-24T18:00', '0002-12-24T18:00:00.000Z'],
  ['Asia/Kolkata', '0202-12-24T18:00', '0202-12-24T12:07:00.000Z'],
  ['Asia/Kolkata', '12026-12-24T18:00', '+012026-12-24T12:30:00.000Z'],
])('converts the wall time in %s both ways: %s', (timeZone, wallTime, instant) => {
  expect(fromWallTime(wallTime, timeZone).toISOString()).toBe(instant);
  expect(toWallTime(new Date(instant), timeZone)).toBe(wallTime);
});

it.each([
  ['a positive offset', 'Asia/Beirut', '2026-03-29T00:00', '2026-03-29T01:00'],
  ['a negative offset', 'America/Santiago', '2026-09-06T00:00', '2026-09-06T01:00'],
])('moves a time that the clock skips to after the gap, with %s', (_name, timeZone, skipped, after) => {
  expect(toWallTime(fromWallTime(skipped, timeZone), timeZone)).toBe(after);
});

it('takes the first of a time that the clock shows twice', () => {
  expect(fromWallTime('2026-10-25T02:30', 'Europe/Berlin').toISOString()).toBe('2026-10-25T00:30:00.000Z');
});
