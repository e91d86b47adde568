import { expect, it } from 'vitest';
import { erasedOn } from './erased-on.ts';

const day = '2026-11-22T09:00:00.000Z';
const before = new Date('2026-11-22T08:59:00.000Z');
const after = new Date('2026-11-22T09:01:00.000Z');

it('an account whose day has come, and whose device is sent away, was erased on that day', () => {
  expect(erasedOn({ eraseAt: day, isSignedOut: true }, after)).toBe(day);
});

it.each([
  ['its day has not come', day, true, before],
  ['its server still knows this device', day, false, after],
  ['nobody asked for it', null, true, after],
])('no account was erased where %s', (_why, eraseAt, isSignedOut, now) => {
  expect(erasedOn({ eraseAt, isSignedOut }, now)).toBeNull();
});
