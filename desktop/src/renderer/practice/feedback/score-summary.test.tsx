import { activateLanguage } from '@parley/i18n';
import chinese from '@parley/i18n/locales/zh-Hans.json' with { type: 'json' };
import { renderToStaticMarkup } from 'react-dom/server';
import { afterEach, expect, it } from 'vitest';
import { ScoreSummary, scoreSentence } from './score-summary.tsx';

const COLUMNS = [
  { id: 'objectives', name: 'Objectives', score: 100, weight: 40 },
  { id: 'accuracy', name: 'Sounds', score: 90, weight: 60 },
];

afterEach(() => activateLanguage('en', {}));

it('describes missing points in sentences with spaces between them', () => {
  expect(scoreSentence(94, COLUMNS)).toBe(
    'of 100. You did everything you set out to do. 6 of the 6 points you lost: Sounds.',
  );
});

it('puts no space after a full-width full stop', () => {
  activateLanguage('zh-Hans', chinese);
  const sentence = scoreSentence(94, COLUMNS);
  expect(sentence.match(/。/g)).toHaveLength(3);
  expect(sentence).not.toMatch(/。\s/);
});

it('says “of 100” once to a screen reader', () => {
  const html = renderToStaticMarkup(<ScoreSummary label="Overall score" total={94} columns={COLUMNS} whyNot="" />);
  const [total = ''] = html.split('</p>');
  expect(total).toContain('aria-label="Overall score: 94 of 100"');
  expect(total).toContain('<span aria-hidden="true">of 100.</span> You did everything');
});
