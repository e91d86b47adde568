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

it('prints the apostrophe of a word, also in its label', () => {
  const html = renderToStaticMarkup(
    <WordStrip words={[word("isn't", 0)]} selected={null} onSelect={() => undefined} />,
  );
  expect(html).toMatch(/aria-label="isn’t 87 of 100"[^>]*>isn’t<\/button>/);
});

it('describes a word without a score in a sentence, and has one tab stop', () => {
  const without = (text: string, error: WordAssessment['error']): WordAssessment => ({
    ...word(text, 0),
    accuracy: null,
    error,
  });
  const html = renderToStaticMarkup(
    <WordStrip
      words={[without('really', 'Insertion'), without('late', 'Omission'), without('hmm', 'None'), word('now', 0)]}
      selected={null}
      onSelect={() => undefined}
    />,
  );
  expect([...html.matchAll(/<button[^>]*aria-label="([^"]*)"/g)].map(([, label]) => label)).toEqual([
    'really: you added this word, so it has no score.',
    'late: you left this word out.',
    'hmm: this word wasn’t measured.',
    'now 87 of 100',
  ]);
  expect(html.match(/tabindex="0"/gi)).toHaveLength(1);
});
