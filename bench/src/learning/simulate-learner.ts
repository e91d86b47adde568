/**
 * A simulated year of a learner with 200 hard words. Their memory is a half-life that grows with each success and shrinks with each failure
 * (after Settles and Meeder 2016, "A Trainable Spaced Repetition Model"); it knows nothing of the scheduler. They speak every day, and review
 * what is due, at most two reviews of ten cards.
 */
import { type ReviewGrade, suggestGrade, type WordAttempt, type WordCard } from '@parley/domain';
import { projectWord } from '@parley/domain/test-kit/project-word';
import { aWordAttempt } from '@parley/domain/test-kit/word-attempt';
import { type Random, seededRandom } from '../torture/seeded-random.ts';

const DAY_MS = 86_400_000;
const START_MS = Date.parse('2026-01-05T08:00:00Z');
const DAYS = 365;
const REVIEWS_A_DAY = 20;
/** Hard words that occur in the day's practice. */
const SAID_A_DAY = 6;
/** Even a hard word is sometimes said well. */
const CHANCE_UNLEARNED = 0.3;
const SHORTEST_HALF_LIFE_DAYS = 2;
const LONGEST_HALF_LIFE_DAYS = 365;

export interface SimulatedLearner {
  /** Reviews on an average day and on the longest one. */
  meanReviews: number;
  maxReviews: number;
  /** The share of reviews in which the word was said well. */
  retention: number;
  /** The share of the words that would be said well on the last day, and with the same practice but no reviews. */
  knownAtEnd: number;
  knownWithoutReviews: number;
}

interface Memory {
  halfLifeDays: number;
  lastMs: number;
}

/** The probability that the word is said well now. */
const recallOf = ({ halfLifeDays, lastMs }: Memory, nowMs: number): number =>
  CHANCE_UNLEARNED + (1 - CHANCE_UNLEARNED) * 2 ** -((nowMs - lastMs) / DAY_MS / halfLifeDays);

/** A word that is heard and repeated is learned again, and lasts longer if it had not been forgotten. */
function practiseWord(memory: Memory, wasKnown: boolean, nowMs: number): void {
  const halfLifeDays = memory.halfLifeDays * (wasKnown ? 2.2 : 0.6);
  memory.halfLifeDays = Math.min(LONGEST_HALF_LIFE_DAYS, Math.max(SHORTEST_HALF_LIFE_DAYS, halfLifeDays));
  memory.lastMs = nowMs;
}

export function simulateLearner({ seed, words }: { seed: number; words: number }): SimulatedLearner {
  const reviewed = simulate({ seed, words, reviews: true });
  const { knownAtEnd } = simulate({ seed, words, reviews: false });
  return { ...reviewed, knownWithoutReviews: knownAtEnd };
}

interface Word {
  rows: WordAttempt[];
  memory: Memory;
  card: WordCard | null;
}

function simulate({ seed, words, reviews }: { seed: number; words: number; reviews: boolean }) {
  const random = seededRandom(seed);
  const all = Array.from({ length: words }, (): Word => ({
    rows: [],
    memory: { halfLifeDays: SHORTEST_HALF_LIFE_DAYS, lastMs: START_MS - 60 * DAY_MS },
    card: null,
  }));
  const perDay: number[] = [];
  let [good, total] = [0, 0];
  for (let day = 0; day < DAYS; day += 1) {
    const startMs = START_MS + day * DAY_MS;
    for (let said = 0; said < SAID_A_DAY; said += 1) say(random, random.pick(all), startMs + said * 60_000);
    const due = reviews ? dueOn(all, startMs + DAY_MS).slice(0, REVIEWS_A_DAY) : [];
    for (const [index, word] of due.entries()) {
      total += 1;
      if (review(random, word, startMs + 3_600_000 + index * 60_000)) good += 1;
    }
    perDay.push(due.length);
  }
  const endMs = START_MS + DAYS * DAY_MS;
  return {
    meanReviews: perDay.reduce((sum, count) => sum + count, 0) / DAYS,
    maxReviews: Math.max(...perDay),
    retention: good / Math.max(1, total),
    knownAtEnd: all.reduce((sum, { memory }) => sum + recallOf(memory, endMs), 0) / words,
  };
}

const dueOn = (words: readonly Word[], untilMs: number): Word[] =>
  words
    .filter(({ card }) => card?.due !== null && card?.due !== undefined && Date.parse(card.due) < untilMs)
    .toSorted((a, b) => Date.parse(b.card?.lastWrongAt ?? '') - Date.parse(a.card?.lastWrongAt ?? ''));

/** A known word scores high, a forgotten one low. */
function score(random: Random, { memory }: Word, nowMs: number): { isKnown: boolean; accuracy: number } {
  const isKnown = random.happens(recallOf(memory, nowMs));
  return { isKnown, accuracy: isKnown ? random.int(80, 98) : random.int(25, 58) };
}

function say(random: Random, word: Word, nowMs: number): void {
  const { isKnown, accuracy } = score(random, word, nowMs);
  // A mistake in a conversation teaches nothing by itself, because it is not corrected there.
  if (isKnown) word.memory.lastMs = nowMs;
  addRows(word, [aRow(word, nowMs, { kind: 'attempt', source: 'session', accuracy })]);
}

function review(random: Random, word: Word, nowMs: number): boolean {
  const { isKnown, accuracy } = score(random, word, nowMs);
  practiseWord(word.memory, isKnown, nowMs);
  const grade: ReviewGrade = suggestGrade(accuracy);
  addRows(word, [
    aRow(word, nowMs, { kind: 'attempt', source: 'review', accuracy }),
    aRow(word, nowMs + 1_000, { kind: 'graded', source: 'review', accuracy, grade }),
  ]);
  return isKnown;
}

function addRows(word: Word, rows: readonly WordAttempt[]): void {
  word.rows.push(...rows);
  word.card = projectWord(word.rows);
}

const aRow = ({ rows }: Word, atMs: number, row: Partial<WordAttempt>): WordAttempt =>
  aWordAttempt({ id: `${rows.length}-${atMs}`, kind: 'attempt', at: new Date(atMs), word: 'word', ...row });
