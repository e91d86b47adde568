import { renderToStaticMarkup } from 'react-dom/server';
import { expect, it } from 'vitest';
import { Trend } from './word-trend.tsx';

it.each([
  ['the last score', { recent: [40, 72], attempts: 2, meanAccuracy: 56 }, '72'],
  ['the mean that an older app has counted', { recent: [], attempts: 5, meanAccuracy: 61 }, '61'],
  ['no score of a word that the learner only graded', { recent: [], attempts: 0, meanAccuracy: 0 }, 'No score yet'],
])('shows %s', (_what, word, shown) => {
  const markup = renderToStaticMarkup(<Trend word={word} />);
  expect(markup.replaceAll(/<[^>]*>/g, '')).toBe(shown);
});
