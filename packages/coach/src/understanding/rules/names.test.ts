import { expect, it } from 'vitest';
import { saysOwnName } from './names.ts';

it.each([
  ['I have a reservation under Zhang.', true],
  ['I booked a room under Betty.', true],
  ['I booked a room under fifty euros.', false],
  ['Do you have a room under 100 euros?', false],
  ['We would like a table under the window.', false],
])('says whose booking it is: %s (%s)', (said, saysName) => expect(saysOwnName(said)).toBe(saysName));
