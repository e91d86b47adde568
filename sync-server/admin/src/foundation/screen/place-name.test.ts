import { expect, it } from 'vitest';
import { placeNames } from './place-name.ts';

it('names each place once, although two sections have changed', () => {
  const sections = ['0198f7a0-0000-7000-8000-00000000000a', '0198f7a0-0000-7000-8000-00000000000b'];
  expect(placeNames([['title'], ...sections.map((id) => ['sections', id])])).toEqual(['Title', 'Sections']);
});
