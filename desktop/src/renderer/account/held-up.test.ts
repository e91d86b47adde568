import { expect, it } from 'vitest';
import { isHeldUp } from './held-up.ts';

const eve = 'eve@example.com';
const fred = 'fred@example.com';

it.each([
  ['somebody else, while work of one who signed out waits', eve, fred, 'signed_out', 1, true],
  ['whoever has not said yet who they are', eve, null, 'signed_out', 1, true],
  ['the one whose work it is', eve, eve, 'signed_out', 1, false],
  ['somebody else, once all was sent', eve, fred, 'signed_out', 0, false],
  ['somebody else, while what waits can still be sent', eve, fred, 'idle', 1, false],
  ['whoever comes to work without an address', null, fred, 'signed_out', 1, false],
] as const)('%s', (_who, held, to, state, waiting, expected) => {
  expect(isHeldUp({ held, to, status: { state, waiting } })).toBe(expected);
});
