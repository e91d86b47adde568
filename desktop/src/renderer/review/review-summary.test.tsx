import type { ReviewWord } from '@parley/contract';
import { renderToStaticMarkup } from 'react-dom/server';
import { afterEach, expect, it, vi } from 'vitest';
import { ReviewSummary } from './review-summary.tsx';

afterEach(() => {
  vi.useRealTimers();
});

const card = { word: 'river', daysByGrade: { again: 1, hard: 1, good: 3, easy: 7 } } as ReviewWord;
const aFinishedCard = (due: Date | null) => ({ card, grade: 'good' as const, accuracy: 85, attemptId: 'one', due });

const cellsOf = (due: Date | null): string =>
  renderToStaticMarkup(<ReviewSummary finished={[aFinishedCard(due)]} onLeave={() => undefined} />);

it('says when a word comes back, or that it has left the list', () => {
  vi.useFakeTimers({ now: new Date('2026-11-18T10:05:00Z') });
  expect(cellsOf(new Date('2026-11-21T10:00:00Z'))).toContain('<td>3 days</td>');
  // The schedule has changed since the card was read.
  expect(cellsOf(new Date('2026-11-26T10:00:00Z'))).toContain('<td>8 days</td>');
  expect(cellsOf(null)).toContain('<td>Off your list</td>');
  expect(cellsOf(null)).not.toContain('3 days');
});
