import { storeFeedbackPoint } from '@parley/domain';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, it } from 'vitest';
import { EarlierFeedback } from './earlier-feedback.tsx';

const AT = new Date('2026-11-18T10:00:00Z');

const shown = (earlierFeedback: Parameters<typeof EarlierFeedback>[0]['view']['earlierFeedback']): string =>
  renderToStaticMarkup(
    <EarlierFeedback view={{ earlierFeedback, feedback: null, session: { turns: [], objectives: [] } }} />,
  );

it('shows the measured scores of the earlier result, and its suggestion', () => {
  const html = shown([
    {
      feedbackId: '1',
      at: AT,
      overall: 71.6,
      categories: [
        { category: 'words', score: 96 },
        { category: 'pron', score: 74 },
        { category: 'fluency', score: 64 },
        { category: 'accuracy', score: 80 },
        { category: 'prosody', score: null },
        { category: 'of_a_newer_app', score: 50 },
      ],
      suggestions: [storeFeedbackPoint({ code: 'another_practice' }), 'Mind your “th”.'],
    },
  ]);
  expect(html).toContain('<dd>Overall score 72 · Sounds 80 · Flow 64</dd>');
  expect(html).toContain('<dd>You’ve finished this one. Choose another practice.</dd>');
  expect(html).toContain('<dd lang="en">Mind your “th”.</dd>');
});

it('omits corrections that are no longer known, and codes of a newer app', () => {
  const corrections = [{ said: 'I am agree', better: 'I agree', why: '' }];
  const suggestions = [
    storeFeedbackPoint({ code: 'correction', index: 0 }),
    '{"v":1,"code":"of_a_newer_app"}',
    'Mind your “th”.',
  ];
  const html = renderToStaticMarkup(
    <EarlierFeedback
      view={{
        earlierFeedback: [{ feedbackId: '1', at: AT, overall: 70, categories: [], suggestions }],
        feedback: { best: '', fix: '', nextStep: '', wordsToTrain: [], corrections },
        session: { turns: [], objectives: [] },
      }}
    />,
  );
  expect(html).not.toContain('I agree');
  expect(html).not.toContain('<dd lang="en"></dd>');
  expect(html).toContain('Mind your “th”.');
});

it('says that nothing had been scored', () => {
  expect(shown([{ feedbackId: '1', at: AT, overall: null, categories: [], suggestions: [] }])).toContain(
    'Not scored at that time.',
  );
});

it('shows nothing for a result that has never changed', () => {
  expect(shown([])).toBe('');
});
