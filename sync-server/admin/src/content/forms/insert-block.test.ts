import { expect, it } from 'vitest';
import { insertBlock, pictureMarkdown } from './insert-block.ts';

it.each([
  ['', 0, '![A](/a)\n', 8],
  ['One.', 4, 'One.\n\n![A](/a)\n', 14],
  ['One.\n', 5, 'One.\n\n![A](/a)\n', 14],
  ['One.\n\nTwo.', 6, 'One.\n\n![A](/a)\n\nTwo.', 14],
  ['One. Two.', 4, 'One.\n\n![A](/a)\n\nTwo.', 14],
  ['One.', 0, '![A](/a)\n\nOne.', 8],
])('puts a block into %j at %i', (text, at, inserted, cursor) => {
  expect(insertBlock(text, at, '![A](/a)')).toEqual({ text: inserted, cursor });
});

it('keeps a description as it was typed', () => {
  expect(pictureMarkdown('/a', ' A [red]\n*door* ')).toBe(String.raw`![A \[red\] \*door\*](/a)`);
});
