import { expect, it } from 'vitest';
import { settingsOfTurnEnd, TURN_END_OPTIONS, turnEndOf } from './turn-end.ts';

it.each(TURN_END_OPTIONS.map(({ value }) => value))('stores the choice %s and shows it again', (turnEnd) => {
  expect(turnEndOf(settingsOfTurnEnd(turnEnd))).toBe(turnEnd);
});
