import type { PracticeCard } from '@parley/contract';
import { type EnglishLevel, PracticeId } from '@parley/domain';
import { expect, it } from 'vitest';
import { otherPractices } from './other-practices.ts';

const idOf = (number: number): string => `019a0000-0000-7000-8000-${String(number).padStart(12, '0')}`;

const aCard = (number: number, level: EnglishLevel, bestScore: number | null = null): PracticeCard => ({
  practiceId: PracticeId.parse(idOf(number)),
  title: `Practice ${number}`,
  category: 'Clients',
  level,
  minutes: 5,
  descriptionSummary: '',
  coverImageUrl: '',
  hasScript: true,
  coachName: 'Maya',
  coachAvatarUrl: '',
  bestScore,
  state: 'ready',
});

// In the catalogue's order, beginners' practices first.
const CARDS = [
  aCard(1, 'beginner'),
  aCard(2, 'beginner'),
  aCard(3, 'beginner', 50),
  aCard(4, 'intermediate'),
  aCard(5, 'advanced'),
  aCard(6, 'advanced'),
  aCard(7, 'advanced', 40),
];
const titles = (cards: readonly PracticeCard[]): string[] => cards.map(({ title }) => title.replace('Practice ', ''));

it.each([
  ['advanced', ['5', '6', '4']],
  ['intermediate', ['4', '1', '2']],
  ['beginner', ['1', '2', '4']],
  [null, ['1', '2', '4']],
] as const)('offers new practices near the level %s first', (level, shown) => {
  expect(titles(otherPractices(CARDS, { suggested: null, level }))).toEqual(shown);
});

it('leaves out the suggested practice, and then offers those with the lowest scores', () => {
  const shown = otherPractices(CARDS, { suggested: idOf(5), level: 'advanced' });
  expect(titles(shown)).toEqual(['6', '4', '1']);
  const scored = CARDS.filter(({ bestScore }) => bestScore !== null);
  expect(titles(otherPractices(scored, { suggested: null, level: 'beginner' }))).toEqual(['7', '3']);
});
