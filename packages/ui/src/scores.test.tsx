import type { WordAssessment } from '@parley/domain';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, it } from 'vitest';
import { WordStrip } from './scores.tsx';

const word = (text: string, startMs: number): WordAssessment => ({
  word: text,
  accuracy: 87,
  error: 'None',
  startMs,
  endMs: startMs + 200,
  phonemes: [],
});

it('keeps the words of a sentence in their English order on a mirrored page', () => {
  const html = renderToStaticMarkup(
    <WordStrip words={[word('Good', 0), word('morning', 200)]} selected={null} onSelect={() => undefined} />,
  );
  expect(html).toMatch(/^<div [^>]*lang="en" dir="ltr">/);
});
