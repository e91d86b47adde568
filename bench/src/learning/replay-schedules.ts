/** Compares the product's schedule with ts-fsrs, fed review by review, for random histories of grades. */
import type { ReviewGrade, WordAttempt } from '@parley/domain';
import { projectWord } from '@parley/domain/test-kit/project-word';
import { aWordAttempt } from '@parley/domain/test-kit/word-attempt';
import { createEmptyCard, fsrs, type Grade, Rating } from 'ts-fsrs';
import { type Random, seededRandom } from '../torture/seeded-random.ts';

const HOUR_MS = 3_600_000;
const START_MS = Date.parse('2026-01-05T08:00:00Z');
const MAX_REVIEWS = 15;
const RATINGS: Readonly<Record<ReviewGrade, Grade>> = {
  again: Rating.Again,
  hard: Rating.Hard,
  good: Rating.Good,
  easy: Rating.Easy,
};
/** Below the score with which a word graduates, so that every word stays on the schedule. */
const STAYS_LISTED = 70;

const aRow = (id: number, at: Date, row: Partial<WordAttempt>): WordAttempt =>
  aWordAttempt({ id: String(id), kind: 'added', at, word: 'think', ...row });

/** Rows arrive in any order, as from several devices. */
function shuffled<Value>(random: Random, list: readonly Value[]): Value[] {
  return list
    .map((value) => ({ value, order: random.next() }))
    .toSorted((a, b) => a.order - b.order)
    .map(({ value }) => value);
}

export function replaySchedules({ seed, runs }: { seed: number; runs: number }): { equal: number; total: number } {
  const random = seededRandom(seed);
  let equal = 0;
  for (let run = 0; run < runs; run += 1) {
    let atMs = START_MS;
    const rows = [aRow(0, new Date(atMs), {})];
    const scheduler = fsrs({ enable_fuzz: false, enable_short_term: false });
    let card = null;
    for (let review = random.int(1, MAX_REVIEWS); review > 0; review -= 1) {
      atMs += random.int(1, 24 * 40) * HOUR_MS;
      const at = new Date(atMs);
      const grade = random.pick(Object.keys(RATINGS) as ReviewGrade[]);
      rows.push(aRow(rows.length, at, { kind: 'graded', source: 'review', accuracy: STAYS_LISTED, grade }));
      card = scheduler.next(card ?? createEmptyCard(at), at, RATINGS[grade]).card;
    }
    const word = projectWord(shuffled(random, rows));
    const isEqual =
      card !== null &&
      word?.due === card.due.toISOString() &&
      word.stability === card.stability &&
      word.difficulty === card.difficulty;
    if (isEqual) equal += 1;
  }
  return { equal, total: runs };
}
