import type { ReviewWord } from '@parley/contract';
import { I18nProvider } from '@lingui/react';
import { i18n } from '@parley/i18n';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, it } from 'vitest';
import type { ScoredWordAssessment } from './review-stages.ts';
import { Verdict } from './verdict.tsx';

const card = {
  word: 'thing',
  worstPhonemes: ['θ'],
  before: {
    at: new Date('2026-11-16T10:00:00Z'),
    phonemes: [
      { phoneme: 'θ', accuracy: 20 },
      { phoneme: 'ŋ', accuracy: 90 },
    ],
  },
} as ReviewWord;

const spoken = (accuracy: number, sounds: { θ: number; ŋ: number }): ScoredWordAssessment => ({
  word: 'thing',
  startMs: 0,
  endMs: 400,
  accuracy,
  error: 'None',
  phonemes: Object.entries(sounds).map(([phoneme, score]) => ({ phoneme, startMs: 0, endMs: 200, accuracy: score })),
});

const textOf = (word: ScoredWordAssessment, of: ReviewWord = card): string =>
  renderToStaticMarkup(
    <I18nProvider i18n={i18n}>
      <Verdict card={of} word={word} />
    </I18nProvider>,
  )
    .replaceAll(/<[^>]+>/g, ' ')
    .replaceAll(/\s+/g, ' ');

it('names the sound that is weak now when the trained sound is clear but the word is not', () => {
  const text = textOf(spoken(45, { θ: 88, ŋ: 30 }));
  expect(text).toContain('Your θ is clear now.');
  expect(text).toContain('It was 20 of 100');
  expect(text).toContain('Your ŋ isn’t clear yet.');
  expect(text).toContain('Don’t add a “g”.');
});

it('asks for another try when every sound is clear but the word is not', () => {
  const text = textOf(spoken(70, { θ: 64, ŋ: 75 }));
  expect(text).toContain('Your θ is clear now.');
  expect(text).toContain('say it once more');
});

it('adds nothing when the word is clear, and names only the trained sound while that is unclear', () => {
  expect(textOf(spoken(90, { θ: 88, ŋ: 50 }))).not.toMatch(/isn’t clear|once more/);
  const text = textOf(spoken(30, { θ: 40, ŋ: 20 }));
  expect(text).toContain('Your θ isn’t clear yet.');
  expect(text).not.toContain('ŋ');
});

it('calls a word clear from the score that passes its review', () => {
  const untrained = { ...card, worstPhonemes: [] };
  expect(textOf(spoken(80, { θ: 80, ŋ: 80 }), untrained)).toContain('That’s how it should sound.');
  expect(textOf(spoken(79.6, { θ: 80, ŋ: 80 }), untrained)).toContain('say it once more');
});
