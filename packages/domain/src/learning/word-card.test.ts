import fc from 'fast-check';
import { createEmptyCard, fsrs, Rating } from 'ts-fsrs';
import { describe, expect, it } from 'vitest';
import { projectWord } from '../test-kit/project-word.ts';
import { aWordAttempt } from '../test-kit/word-attempt.ts';
import { cardOf, describedAttempt, toListEntry } from './word-card.ts';
import { continueWord, replayWord, WordState } from './word-state.ts';
import { daysByGrade, replayReviews, SCHEDULER_PARAMETERS, suggestGrade } from './review-schedule.ts';
import { REVIEW_GRADES, type WordAttempt } from './word-attempt.ts';

const DAY_MS = 86_400_000;
const START = Date.parse('2026-11-16T09:00:00.000Z');

let nextId = 0;
function aRow({ onDay = 0, ...row }: Partial<WordAttempt> & { onDay?: number } = {}): WordAttempt {
  const at = new Date(START + onDay * DAY_MS + nextId);
  nextId += 1;
  const id = String(nextId).padStart(8, '0');
  return aWordAttempt({ id, kind: 'attempt', at, word: 'think', ipa: 'θɪŋk', accuracy: 90, source: 'session', ...row });
}

const graded = (onDay: number, accuracy: number): WordAttempt =>
  aRow({ onDay, kind: 'graded', source: 'review', accuracy, grade: suggestGrade(accuracy) });
const statusOf = (...rows: WordAttempt[]) => projectWord(rows)?.status;

describe('a word', () => {
  it('is listed below 60, or when the same sound in it was below 50 twice', () => {
    const weakSound = (sound: string, accuracy = 49.9) => aRow({ phonemes: [[sound, accuracy, 't']] });
    expect(statusOf(aRow({ accuracy: 60 }))).toBe('unlisted');
    expect(statusOf(aRow({ accuracy: 59.9 }))).toBe('listed');
    expect(statusOf(weakSound('θ'))).toBe('unlisted');
    expect(statusOf(weakSound('θ'), weakSound('ɪ'))).toBe('unlisted');
    expect(statusOf(weakSound('θ'), weakSound('θ'))).toBe('listed');
    expect(statusOf(weakSound('θ', 50), weakSound('θ', 50))).toBe('unlisted');
  });

  it('counts a sound that was weak twice in one attempt as weak once', () => {
    const strengths = aRow({ phonemes: ['s', 't', 's'].map((sound) => [sound, 40, null]) });
    expect(statusOf(strengths)).toBe('unlisted');
    expect(statusOf(strengths, aRow({ phonemes: [['s', 40, null]] }))).toBe('listed');
  });

  it('graduates after two days of 80, and returns when it goes wrong again', () => {
    const wrong = aRow({ accuracy: 30 });
    expect(statusOf(wrong, graded(1, 85), graded(1, 90))).toBe('listed');
    expect(statusOf(wrong, graded(1, 85), graded(2, 79), graded(3, 85))).toBe('listed');
    const notRemembered: WordAttempt = { ...graded(2, 95), grade: 'again' };
    expect(statusOf(wrong, graded(1, 85), notRemembered)).toBe('listed');
    expect(statusOf(wrong, graded(1, 85), notRemembered, graded(3, 85))).toBe('listed');
    expect(projectWord([wrong, graded(1, 85), graded(4, 80)])).toMatchObject({
      status: 'graduated',
      masteredDay: '2026-11-20',
      due: null,
    });
    expect(statusOf(wrong, graded(1, 85), graded(4, 80), aRow({ onDay: 5, accuracy: 30 }))).toBe('listed');
  });

  it('returns by a later mistake if learned, and only by hand if removed', () => {
    const [wrong, later] = [aRow({ accuracy: 30 }), aRow({ onDay: 3, accuracy: 30 })];
    const learned = aRow({ onDay: 1, kind: 'learned', accuracy: null });
    const removed = aRow({ onDay: 1, kind: 'removed', accuracy: null });
    expect(statusOf(learned, wrong)).toBe('learned');
    expect(statusOf(learned, wrong, later)).toBe('listed');
    expect(statusOf(removed, wrong, later)).toBe('removed');
    expect(statusOf(removed, wrong, aRow({ onDay: 4, kind: 'added', accuracy: null }))).toBe('listed');
  });

  it('is due when it first went wrong after its last review, and never later for going wrong again', () => {
    const dueOf = (...rows: WordAttempt[]) => projectWord(rows)?.due;
    const [wrong, again, nextYear] = [0, 1, 365].map((onDay) => aRow({ onDay, accuracy: 30 })) as [
      WordAttempt,
      WordAttempt,
      WordAttempt,
    ];
    expect(dueOf(wrong, again)).toBe(wrong.at.toISOString());
    expect(dueOf(nextYear, wrong, again)).toBe(wrong.at.toISOString());
    const review = graded(2, 60);
    const scheduled = dueOf(wrong, again, review);
    expect(dueOf(wrong, again, review, nextYear)).toBe(scheduled);
    const later = aRow({ onDay: 2, accuracy: 30 });
    expect(dueOf(wrong, again, review, later, nextYear)).toBe(later.at.toISOString());
  });

  it('keeps its clips, its sentence, and the sound that was heard', () => {
    const clip = { recordingId: '019aa000-0000-7000-8000-000000000001', startMs: 100, endMs: 500 };
    const best = aRow({ ...clip, accuracy: 88 });
    const wrong = aRow({ ...clip, accuracy: 31, phonemes: [['θ', 12, 's']], sentence: 'I think so.' });
    const card = projectWord([wrong, best, aRow({ accuracy: 100 })]);
    expect(card).toMatchObject({ sentence: 'I think so.', worstPhonemes: ['θ'], heardAs: 's', attempts: 3 });
    expect([card?.latest?.accuracy, card?.best?.accuracy]).toEqual([31, 88]);
  });

  it('is described by the attempt that went wrong last, or by the last one', () => {
    const [well, wrong, later] = [aRow(), aRow({ accuracy: 31, phonemes: [['θ', 12, 's']] }), aRow({ onDay: 1 })];
    const describedAt = (...rows: WordAttempt[]): string | null => {
      const state = replayWord(rows);
      return state === null ? null : (describedAttempt(state)?.at ?? null);
    };
    expect(describedAt(later, wrong, well)).toBe(wrong.at.toISOString());
    expect(describedAt(later, well)).toBe(later.at.toISOString());
    expect(describedAt(aRow({ kind: 'added', accuracy: null }))).toBeNull();
  });

  it('counts on where a list without a log stopped', () => {
    const counted = (countedBy: string, attempts: number, accuracy: number) =>
      aRow({ kind: 'counted', countedBy, attempts, accuracy, source: null });
    const rows = [counted('laptop', 3, 40), counted('laptop', 4, 50), counted('phone', 2, 20), aRow({ accuracy: 60 })];
    const card = projectWord(rows);
    expect(card).toMatchObject({ status: 'listed', attempts: 7, meanAccuracy: 42.9 });
    const state = replayWord(rows);
    expect(card === null || state === null ? null : toListEntry(card, state)?.counts).toEqual({
      laptop: { attempts: 4, meanAccuracy: 50 },
      phone: { attempts: 2, meanAccuracy: 20 },
      log: { attempts: 1, meanAccuracy: 60 },
    });
  });

  it('of an app without the log keeps its worst sounds', () => {
    const counted = aRow({
      kind: 'counted',
      countedBy: 'laptop',
      attempts: 3,
      accuracy: 40,
      phonemes: [['θ', null, null]],
    });
    expect(projectWord([counted])).toMatchObject({ worstPhonemes: ['θ'], heardAs: null });
    expect(projectWord([counted, aRow()])).toMatchObject({ worstPhonemes: [] });
  });

  const someRow = fc.record({
    kind: fc.constantFrom('attempt', 'graded', 'added', 'learned', 'removed', 'counted'),
    onDay: fc.integer({ min: 0, max: 5 }),
    accuracy: fc.integer({ min: 0, max: 100 }),
    grade: fc.constantFrom(...REVIEW_GRADES),
    attempts: fc.integer({ min: 1, max: 9 }),
    countedBy: fc.constantFrom('laptop', 'phone'),
    ipa: fc.constantFrom('', 'θɪŋk', 'sɪŋk'),
    sentence: fc.constantFrom(null, 'think', 'I think so.', 'Think again.'),
    source: fc.constantFrom('session', 'review', null),
    phonemes: fc.constantFrom<WordAttempt['phonemes'][]>(
      [],
      [['θ', 30, 's']],
      [
        ['θ', 90, null],
        ['k', 20, null],
      ],
    ),
    recordingId: fc.constantFrom(null, '019aa000-0000-7000-8000-000000000001'),
    startMs: fc.constant(100),
    endMs: fc.constant(500),
  });
  const history = fc.array(someRow, { minLength: 1, maxLength: 12 }).map((rows) => rows.map((one) => aRow(one)));

  it('is the same whether its rows come at once or one after the other', () => {
    fc.assert(
      fc.property(history, (rows) => {
        const ordered = rows.toSorted((a, b) => a.at.getTime() - b.at.getTime());
        const [first, ...later] = ordered;
        let state = replayWord(first === undefined ? [] : [first]);
        for (const row of later) {
          // A state is stored as JSON.
          const stored = WordState.parse(JSON.parse(JSON.stringify(state)));
          state = continueWord(stored, [row]);
        }
        const replayed = replayWord(rows);
        expect(state).toEqual(replayed);
        expect(state === null ? null : cardOf(state)).toEqual(projectWord(rows));
      }),
    );
  });

  it('must be replayed when a row arrives that belongs before the newest, or that is here already', () => {
    const [early, late] = [aRow({ accuracy: 30 }), aRow({ onDay: 2 })];
    const state = replayWord([late]);
    if (state === null) throw new Error('there is a row');
    expect(continueWord(state, [early])).toBeNull();
    expect(continueWord(state, [aRow({ onDay: 3 }), early])).toBeNull();
    expect(continueWord(state, [late])).toBeNull();
  });

  it('does not depend on the order in which its rows arrived', () => {
    fc.assert(
      fc.property(
        history.chain((rows) => fc.tuple(fc.constant(rows), fc.shuffledSubarray(rows, { minLength: rows.length }))),
        ([rows, shuffled]) => {
          expect(projectWord(shuffled)).toEqual(projectWord(rows));
        },
      ),
    );
  });
});

describe('the schedule', () => {
  it('equals ts-fsrs, fed review by review', () => {
    const rating = { again: Rating.Again, hard: Rating.Hard, good: Rating.Good, easy: Rating.Easy } as const;
    const reviews = [
      { at: new Date(START), grade: 'again' },
      { at: new Date(START + DAY_MS), grade: 'good' },
      { at: new Date(START + 5 * DAY_MS), grade: 'hard' },
      { at: new Date(START + 9 * DAY_MS), grade: 'easy' },
    ] as const;
    const peer = fsrs({ enable_fuzz: false, enable_short_term: false });
    let card = createEmptyCard(reviews[0].at);
    for (const { at, grade } of reviews) card = peer.next(card, at, rating[grade]).card;
    expect(SCHEDULER_PARAMETERS).toEqual({ enable_fuzz: false, enable_short_term: false });
    expect(replayReviews(reviews)).toEqual({ due: card.due, stability: card.stability, difficulty: card.difficulty });
  });

  it('waits longer for a better grade', () => {
    const days = daysByGrade([{ at: new Date(START), grade: 'good' }], new Date(START + 3 * DAY_MS));
    expect(days.again).toBeLessThan(days.hard);
    expect(days.hard).toBeLessThan(days.good);
    expect(days.good).toBeLessThan(days.easy);
  });

  it('calculates the days after a grade in the future, as when the clock was ahead', () => {
    const days = daysByGrade([{ at: new Date(START + DAY_MS), grade: 'good' }], new Date(START));
    expect(days.again).toBeGreaterThanOrEqual(1);
    expect(days.easy).toBeGreaterThan(days.good);
  });

  it('suggests a grade that follows the score', () => {
    expect([59, 60, 79, 80, 91, 92].map(suggestGrade)).toEqual(['again', 'hard', 'hard', 'good', 'good', 'easy']);
  });
});
