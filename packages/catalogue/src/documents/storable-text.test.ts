import { expect, it } from 'vitest';
import { isStorable } from './storable-text.ts';

it.each([['a\0b'], ['\ud800'], ['x\udc00x'], [{ lines: ['fine', { text: '\0' }] }], [{ '\0': 1 }]])(
  'finds text that no database can store in %j',
  (value) => {
    expect(isStorable(value)).toBe(false);
  },
);

it.each([['🎧'], [null], [3], [{ lines: [String.raw`how to write \u0000 and \ud83c in JSON`] }]])(
  'lets %j be stored',
  (value) => {
    expect(isStorable(value)).toBe(true);
  },
);
