import { activateLanguage } from '@parley/i18n';
import type { WordAssessment } from '@parley/domain';
import { renderToStaticMarkup } from 'react-dom/server';
import { afterEach, expect, it } from 'vitest';
import { ObjectiveList, WordStrip } from './scores.tsx';

const word = (text: string, startMs: number): WordAssessment => ({
  word: text,
  accuracy: 87,
  error: 'None',
  startMs,
  endMs: startMs + 200,
  phonemes: [],
});

afterEach(() => activateLanguage('en', {}));

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

it('joins a score and a fault without “and”, in every language', () => {
  activateLanguage('de', {
    '{written} of 100': '{written} von 100',
    '{written} of 100: {fault}': '{written} von 100: {fault}',
  });
  const html = renderToStaticMarkup(
    <WordStrip
      words={[{ ...word('three', 0), error: 'UnexpectedBreak' }]}
      selected={null}
      onSelect={() => undefined}
    />,
  );
  expect(html).toMatch(/aria-label="three 87 von 100: /);
});

it('announces an objective as a whole when it is reached', () => {
  const objective = { objectiveId: 'ask', description: 'Ask politely', lang: 'en', provedBy: 'Friday off?' } as const;
  const html = renderToStaticMarkup(<ObjectiveList objectives={[objective]} />);
  expect(html).toMatch(/<li [^>]*aria-atomic="true"[^>]*>.*Ask politely.*\(reached\).*<\/li>/);
});
