import { describe, expect, it } from 'vitest';
import { checkCounts, type WordCounts } from './counted-words.ts';
import type { CountedRow } from './expected-list.ts';

const aRow = (attempts: number): CountedRow => ({
  word: 'month',
  at: attempts,
  day: '2026-01-05',
  attempts,
  accuracy: 50,
  countedBy: 'before',
});

/** The old app practised one word twice, and the server could tell both attempts apart. */
const right = (changes: Partial<Omit<WordCounts, 'old'>> & { old?: Partial<WordCounts['old']> } = {}): WordCounts => ({
  counted: [aRow(1), aRow(2)],
  events: [],
  everSaid: new Map(),
  everWrong: new Set(),
  ...changes,
  old: {
    practised: ['month', 'month'],
    shown: new Map([['month', 2]]),
    certain: new Map([['month', 2]]),
    list: new Map([['month', 2]]),
    rejected: 0,
    ...changes.old,
  },
});

describe('the counts of an old app', () => {
  it('are right when each attempt is counted once', () => {
    expect(checkCounts(right())).toEqual([]);
  });

  it.each<[string, WordCounts]>([
    ['an attempt is counted twice', right({ counted: [aRow(3)] })],
    ['an attempt is lost', right({ counted: [aRow(1)] })],
    ['every attempt is lost', right({ counted: [] })],
    ['fewer attempts are listed than the old app had shown', right({ old: { shown: new Map([['month', 4]]) } })],
    ['the old app lost its word', right({ old: { list: new Map() } })],
    ['the old app shows fewer attempts than before', right({ old: { list: new Map([['month', 1]]) } })],
    ['a word that went wrong elsewhere is not in its list', right({ everWrong: new Set(['value']) })],
    ['a change was rejected', right({ old: { rejected: 1 } })],
  ])('are wrong when %s', (_case, counts) => {
    expect(checkCounts(counts)).not.toEqual([]);
  });

  it('may have attempts that the server could not tell apart', () => {
    const merged = right({
      counted: [aRow(1)],
      old: { certain: new Map([['month', 1]]), shown: new Map([['month', 1]]), list: new Map([['month', 1]]) },
    });
    expect(checkCounts(merged)).toEqual([]);
  });
});
