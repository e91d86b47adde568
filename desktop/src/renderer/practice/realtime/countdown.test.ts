import { expect, it } from 'vitest';
import { NO_COUNTDOWN, type ReportedTime, updateCountdown } from './countdown.ts';

const open = (remainingS: number | null): ReportedTime => ({ remainingS, isOpen: true });
const connecting = (remainingS: number | null): ReportedTime => ({ remainingS, isOpen: false });

function leftAfter(...updates: [atS: number, reported: ReportedTime][]): number | null {
  return updates.reduce((countdown, [atS, reported]) => updateCountdown(countdown, reported, atS * 1_000), NO_COUNTDOWN)
    .leftS;
}

it('counts down to zero while the call is open', () => {
  expect(leftAfter([0, open(600)], [45, open(600)])).toBe(555);
  expect(leftAfter([0, open(60)], [90, open(60)])).toBe(0);
});

it('stands still while the call reconnects, and continues with the next report', () => {
  expect(leftAfter([0, open(600)], [400, open(600)], [410, connecting(600)])).toBe(200);
  expect(leftAfter([0, open(600)], [400, open(600)], [410, connecting(600)], [420, open(198)])).toBe(198);
});

it('takes over a new report at once, which would otherwise seem to use up the rest', () => {
  expect(leftAfter([0, open(600)], [300, open(600)], [300, open(300)])).toBe(300);
});

it('starts again from a value that is reported for a second time', () => {
  expect(leftAfter([0, open(600)], [20, open(600)], [21, connecting(600)], [22, open(600)])).toBe(600);
});

it('shows no time when usage is not metered', () => {
  expect(leftAfter([0, open(null)], [5, open(null)])).toBeNull();
});
