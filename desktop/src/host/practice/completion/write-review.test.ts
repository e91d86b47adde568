import { type CoachReview, type LearnerTurn, ObjectiveId, readFeedbackText, TurnId } from '@parley/domain';
import { describe, expect, it } from 'vitest';
import { writeReview } from './write-review.ts';

const turnId = TurnId.parse('019a0000-0000-7000-8000-000000000001');
const objectiveId = ObjectiveId.parse('019b0000-0000-7000-8000-000000000001');

const turn: LearnerTurn = {
  role: 'learner',
  turnId,
  at: '2026-11-23T10:00:00.000Z',
  text: 'I am sorry, it will be 2 days late. We send new one tomorrow.',
  mode: 'typed',
  node: null,
  fitted: true,
  recordingId: null,
  assessment: null,
  hintLevel: 0,
};
const scores = {
  accuracy: null,
  fluency: null,
  prosody: null,
  completeness: null,
  pron: 82.4,
  words: null,
  overall: null,
};
const session = {
  turns: [turn],
  objectives: [{ objectiveId, description: 'Apologise' }],
  completed: [{ objectiveId, turnId, words: 'I am sorry' }],
  objectivesJudged: true,
  scores,
  difficulty: 'easy',
  weakSounds: [],
  removedWords: new Set(),
  practiceWithSound: () => null,
} as unknown as Parameters<typeof writeReview>[0];

const judged = (changes: Partial<CoachReview>): CoachReview => ({
  best: 'You apologised at once: “I am sorry”.',
  fix: 'You promised with “We send”; a promise takes the future.',
  nextStep: 'Try it harder.',
  summary: 'You told a client of a delay.',
  corrections: [{ said: 'We send new one', better: 'We will send a new one', why: 'A promise takes “will”.' }],
  remember: [],
  languageQuality: 70,
  ...changes,
});

const coachTextOf = (best: string): string | null =>
  readFeedbackText(writeReview(session, judged({ best })).feedback.best).text;

describe('writeReview', () => {
  describe('without a coach', () => {
    const withText = (text: string) => ({ ...session, turns: [{ ...turn, text }] });
    const grammar = { code: 'grammar', rule: 'agree' };

    it('points out frequent mistakes, and says why as a code', () => {
      const { feedback } = writeReview(withText('I am agree with that.'), null);
      expect(feedback.corrections).toMatchObject([{ said: 'I am agree', better: 'I agree' }]);
      expect(readFeedbackText(feedback.corrections?.[0]?.why ?? '').point).toEqual(grammar);
      expect(readFeedbackText(feedback.fix).point).toEqual({ code: 'correction', index: 0 });
      expect(feedback.languageQuality).toBeUndefined();
    });

    it('puts an open objective before them', () => {
      const { feedback } = writeReview({ ...withText('I am agree with that.'), completed: [] }, null);
      expect(readFeedbackText(feedback.fix).point).toMatchObject({ code: 'objective_open' });
      expect(feedback.corrections).toHaveLength(1);
    });

    it('has no corrections when it finds no mistake', () => {
      expect(writeReview(withText('I agree with that.'), null).feedback.corrections).toBeUndefined();
    });
  });

  it('derives the points on the device, and keeps the coach’s words about them', () => {
    const { feedback, summary } = writeReview(session, judged({}));
    expect(readFeedbackText(feedback.best)).toEqual({
      point: { code: 'all_objectives', total: 1 },
      text: 'You apologised at once: “I am sorry”.',
    });
    expect(readFeedbackText(feedback.fix)).toEqual({
      point: { code: 'correction', index: 0 },
      text: 'You promised with “We send”; a promise takes the future.',
    });
    // The next step is a button, so the coach's own is not kept.
    expect(feedback.nextStep).not.toContain('harder');
    expect(summary).toBe('You told a client of a delay.');
    expect(feedback).toMatchObject({ languageQuality: 70, corrections: [{ said: 'We send new one' }] });
  });

  it.each([
    ['quotes the learner', 'You said “I am sorry” at the right moment.', true],
    ['quotes a correction beside it', 'For “We send new one”, say “We will send a new one”.', true],
    ['gives a number that was said', 'You named the 2 days: “it will be 2 days late”.', true],
    ['gives a score that was measured', 'Your “I am sorry” helped: 82 of 100.', true],
    ['quotes nothing', 'You apologised at once.', false],
    ['quotes nothing but the correction', 'Say “We will send a new one” for a promise.', false],
    ['quotes nothing at all in its marks', 'You said “…” well.', false],
    ['quotes what was not said', 'You said “I apologise sincerely”.', false],
    ['quotes across two sources', 'You said “tomorrow We send new one”.', false],
    ['gives a score that was not measured', 'Your “I am sorry” helped: 95 of 100.', false],
    ['is a part of a number that was said', 'You said “I am sorry” 82.47 times.', false],
  ])('lets the coach rephrase but not invent: a sentence that %s', (_what, sentence, isKept) => {
    expect(coachTextOf(sentence)).toBe(isKept ? sentence : null);
  });

  it('takes the correction that the coach speaks of as the one thing to fix', () => {
    const corrections = [
      { said: 'it will be 2 days late', better: 'it will be two days late', why: 'Write small numbers as words.' },
      { said: 'We send new one', better: 'We will send a new one', why: 'A promise takes “will”.' },
    ];
    const fixOf = (fix: string) => readFeedbackText(writeReview(session, judged({ corrections, fix })).feedback.fix);
    const promise = 'In place of “We send”, a promise takes “We will send”.';
    expect(fixOf(promise)).toEqual({ point: { code: 'correction', index: 1 }, text: promise });
    // This `fix` would appear next to a correction of something else.
    expect(fixOf('You said “I am sorry” too early.')).toEqual({ point: { code: 'correction', index: 0 }, text: null });
  });

  it('replaces a fix that quotes nothing the learner said by our own point', () => {
    const { fix } = writeReview(session, judged({ fix: 'Work on your grammar.' })).feedback;
    expect(readFeedbackText(fix)).toEqual({ point: { code: 'correction', index: 0 }, text: null });
  });

  it('replaces an invented summary by the counts', () => {
    const { summary } = writeReview(session, judged({ summary: 'You reached 9 of 10 objectives.' }));
    expect(readFeedbackText(summary).point).toMatchObject({ code: 'session', turns: 1, done: 1, total: 1, pron: 82 });
  });

  it('does not store a point of the coach inside a point', () => {
    const stored = writeReview(session, null).feedback.best;
    expect(coachTextOf(stored)).toBeNull();
  });
});
