import { renderToStaticMarkup } from 'react-dom/server';
import { expect, it } from 'vitest';
import { LongWord } from './long-word.tsx';

it.each([
  ['ines.duarte@nordhafen.example', 'ines|.duarte@|nordhafen|.example'],
  ['practice_history', 'practice_|history'],
  ['She asked. Twice.', 'She asked. Twice.'],
])('lets “%s” break between its parts', (text, parts) => {
  expect(renderToStaticMarkup(<LongWord>{text}</LongWord>)).toBe(`<bdi>${parts.replaceAll('|', '<wbr/>')}</bdi>`);
});
