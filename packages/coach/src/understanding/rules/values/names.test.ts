import { expect, it } from 'vitest';
import { saysOwnName } from './names.ts';

it.each([
  ['I have a reservation under Zhang.', true],
  ['I booked a room under Betty.', true],
  ['I booked a room under fifty euros.', false],
  ['Do you have a room under 100 euros?', false],
  ['We would like a table under the window.', false],
  ['good evening i am ahmed from siemens i have booked a room', true],
  ["I've got a booking for two nights, name's Okafor.", true],
  ['Hi, Daniela Rossi here. I need to register my new address.', true],
  ['This is Sam Silva speaking.', true],
  ['I am calling from the airport.', false],
  ['I am new here.', false],
  ['Is the station near here?', false],
  ["I'm responsible for sales.", false],
  ["I'm back from my holiday.", false],
  ['Her name is Anna.', false],
])('says whose booking it is: %s (%s)', (said, saysName) => expect(saysOwnName(said)).toBe(saysName));
