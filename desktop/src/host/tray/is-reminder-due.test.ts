import { expect, it } from 'vitest';
import { isReminderDue, type ReminderSituation } from './is-reminder-due.ts';

const situation = (changes: Partial<ReminderSituation> = {}): ReminderSituation => ({
  reminderAt: '18:00',
  today: '2026-11-23',
  time: '18:00',
  remindedOn: '2026-11-22',
  hasPractisedToday: false,
  ...changes,
});

it.each([
  ['at the chosen time', {}, true],
  ['before the first reminder', { remindedOn: null }, true],
  ['a minute too early', { time: '17:59' }, false],
  ['when the computer wakes up within three hours', { time: '21:00' }, true],
  ['when it wakes up later', { time: '21:01' }, false],
  ['after midnight, when the time was late', { reminderAt: '23:00', time: '00:10' }, false],
  ['twice a day', { remindedOn: '2026-11-23' }, false],
  ['after a practice on the same day', { hasPractisedToday: true }, false],
  ['when the learner wants none', { reminderAt: null }, false],
] as [string, Partial<ReminderSituation>, boolean][])('%s', (_when, changes, expected) => {
  expect(isReminderDue(situation(changes))).toBe(expected);
});
