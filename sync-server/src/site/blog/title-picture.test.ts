import { expect, it } from 'vitest';
import { titlePicture } from './title-picture.ts';

const linesOf = (title: string): string[] =>
  [...(titlePicture(title, 'Harbour English') ?? '').matchAll(/<text[^>]*>([^<]*)</g)].map(([, line = '']) => line);

it('breaks a title into lines above the name of the school', () => {
  expect(linesOf('How your score is made, & where it is weak')).toEqual([
    'How your score is made,',
    '&amp; where it is weak',
    'Harbour English',
  ]);
});

it('cuts text that does not fit', () => {
  const lines = linesOf(`${'x'.repeat(40)} ${'word '.repeat(60)}`);
  expect(lines).toHaveLength(5);
  expect(lines[0]).toBe(`${'x'.repeat(23)}…`);
  expect(lines[3]).toMatch(/…$/);
});

it.each(['話し方', 'Привет', 'Łódź', 'Hello 👋'])('uses the picture of the site for “%s”', (title) => {
  expect(titlePicture(title, 'Parley')).toBeNull();
});
