import { activateLanguage } from '@parley/i18n';
import chinese from '@parley/i18n/locales/zh-Hans.json' with { type: 'json' };
import { afterEach, expect, it } from 'vitest';
import { scoreSentence } from './score-summary.tsx';

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
