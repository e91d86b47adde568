import type { PracticeCard } from '@parley/contract';
import { expect, it } from 'vitest';
import { findPractices, lengthsToChoose, NO_FILTER, type PracticeFilter } from './find-practices.ts';

const card = (title: string, changes: Partial<PracticeCard> = {}): PracticeCard =>
  ({
    title,
    descriptionSummary: 'Tell a client that a delivery is late.',
    category: 'Clients',
    coachName: 'Grace',
    level: 'intermediate',
    minutes: 5,
    hasScript: true,
    ...changes,
  }) as PracticeCard;

const cards = [
  card('Explain a delay'),
  card('Small talk', {
    descriptionSummary: 'Greet someone.',
    category: 'Meetings',
    coachName: 'Tom',
    level: 'beginner',
    minutes: 4,
  }),
  card('Negotiate', {
    descriptionSummary: 'Say no.',
    category: 'Clients',
    coachName: 'Daniel',
    level: 'advanced',
    hasScript: false,
  }),
];

it.each<[what: string, filter: Partial<PracticeFilter>, found: string[]]>([
  ['nothing', {}, ['Explain a delay', 'Small talk', 'Negotiate']],
  ['words in any order and case', { search: '  LATE explain ' }, ['Explain a delay']],
  ['part of a word', { search: 'nego' }, ['Negotiate']],
  ['a coach’s name', { search: 'tom' }, ['Small talk']],
  ['a category', { category: 'Clients' }, ['Explain a delay', 'Negotiate']],
  ['category and level', { category: 'Clients', level: 'advanced' }, ['Negotiate']],
  ['the greatest length', { maxMinutes: 4 }, ['Small talk']],
  ['a guided coach', { style: 'guided' }, ['Explain a delay', 'Small talk']],
  ['the need of a live coach', { style: 'live_only' }, ['Negotiate']],
  ['a filter and words that exclude each other', { coach: 'Tom', search: 'delay' }, []],
  ['characters with a meaning in regular expressions', { search: '(.*' }, []],
])('filters practices by %s', (_what, filter, found) => {
  expect(findPractices(cards, { ...NO_FILTER, ...filter }).map(({ title }) => title)).toEqual(found);
});

it('offers each length that leaves something out', () => {
  expect(lengthsToChoose([...cards, card('Present', { minutes: 6 })])).toEqual([4, 5]);
  expect(lengthsToChoose([])).toEqual([]);
});
