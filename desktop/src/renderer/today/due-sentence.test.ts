import { describe, expect, it } from 'vitest';
import { dueSentence, isOverdue } from './due-sentence.ts';

const NOW = new Date(2026, 10, 18, 10, 0);
const at = (day: number, hour = 23): { dueAt: Date; done: number; total: number } => ({
  dueAt: new Date(2026, 10, day, hour, 59),
  done: 1,
  total: 3,
});

describe('the due date of an assigned course', () => {
  it.each([
    [at(17), 'Was due yesterday.', true],
    [at(13), 'Was due on 13 November 2026.', true],
    [at(18, 8), 'Was due earlier today.', true],
    [at(18), 'Due today.', false],
    [at(19, 1), 'Due tomorrow.', false],
    [at(20), 'Due on Friday.', false],
    [at(24), 'Due on Tuesday.', false],
    [at(25), 'Due on 25 November 2026.', false],
    [{ ...at(13), done: 3 }, 'Finished.', false],
    [{ ...at(13), dueAt: null }, 'No due date.', false],
  ])('%o is said as "%s"', (due, sentence, overdue) => {
    expect(dueSentence(due, NOW)).toBe(sentence);
    expect(isOverdue(due, NOW)).toBe(overdue);
  });
});
