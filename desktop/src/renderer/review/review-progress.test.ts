import type { DrillAttempt, ReviewWord } from '@parley/contract';
import { describe, expect, it } from 'vitest';
import { cardOf, type ReviewEvent, type ReviewProgress, reduceReview, startReview } from './review-progress.ts';

const aCard = (word: string): ReviewWord => ({
  word,
  ipa: '',
  status: 'listed',
  sentence: `I said ${word}.`,
  attempts: 1,
  meanAccuracy: 40,
  recent: [40],
  worstPhonemes: [],
  heardAs: null,
  before: null,
  due: null,
  daysByGrade: { again: 1, hard: 1, good: 3, easy: 7 },
  latest: null,
  best: null,
});

const river = aCard('river');
const value = aCard('value');
const spoken = (card: ReviewWord, accuracy: number): ReviewEvent => ({
  type: 'spoken',
  card,
  attempt: { assessment: { words: [{ word: card.word, accuracy, error: null }] } } as unknown as DrillAttempt,
});
const graded = (card: ReviewWord): ReviewEvent => ({
  type: 'graded',
  done: { card, grade: 'good', accuracy: 85, attemptId: crypto.randomUUID(), due: null },
});
const play = (...events: ReviewEvent[]): ReviewProgress => events.reduce(reduceReview, startReview([river, value]));

describe('a review', () => {
  it('applies a score to the card that is shown, and shows the next one after its grade', () => {
    expect(play(spoken(river, 85))).toMatchObject({ accuracy: 85, spoken: { word: { word: 'river' } } });
    const after = play(spoken(river, 85), graded(river));
    expect(after).toMatchObject({ accuracy: null, spoken: null });
    expect(cardOf(after)).toBe(value);
  });

  it('keeps the score of the word in the next stage', () => {
    const next: ReviewEvent = { type: 'next_stage' };
    expect(play(spoken(river, 85), next)).toMatchObject({ stageIndex: 1, accuracy: 85, spoken: null });
    expect(play(next, next, next)).toMatchObject({ stageIndex: 1 });
  });

  it('ignores a score that arrives when its card is no longer shown', () => {
    const undone = play(graded(river), { type: 'undone' }, spoken(value, 20));
    expect(cardOf(undone)).toBe(river);
    expect(undone).toMatchObject({ accuracy: null, spoken: null });
    expect(play({ type: 'postponed' }, spoken(river, 20))).toMatchObject({ accuracy: null, spoken: null });
    expect(play(graded(river), graded(value), spoken(value, 20))).toMatchObject({ accuracy: null, spoken: null });
  });
});
