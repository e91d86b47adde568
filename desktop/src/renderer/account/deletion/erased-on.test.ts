import { expect, it } from 'vitest';
import { findErasureDate } from './erased-on.ts';

const day = '2026-11-22T09:00:00.000Z';
const before = new Date('2026-11-22T08:59:00.000Z');
const after = new Date('2026-11-22T09:01:00.000Z');

it('returns the date when it has passed and the device is signed out', () => {
  expect(findErasureDate({ eraseAt: day, isSignedOut: true }, after)).toBe(day);
});

it.each([
  ['the date has not passed', day, true, before],
  ['the device is still signed in', day, false, after],
  ['no deletion was requested', null, true, after],
])('returns null when %s', (_why, eraseAt, isSignedOut, now) => {
  expect(findErasureDate({ eraseAt, isSignedOut }, now)).toBeNull();
});
