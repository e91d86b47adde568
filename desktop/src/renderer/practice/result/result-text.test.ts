import { storeFeedbackPoint } from '@parley/domain';
import { expect, it } from 'vitest';
import {
  answerCountSentence,
  clearWordCount,
  missingCorrectionsReason,
  retryNotice,
  scoresSoFar,
  toScoreElsewhereSentence,
  whyNotScored,
  wordsExplanation,
} from './result-text.ts';

const answer = (hintLevel: 0 | 1, fitted = true) => ({ hintLevel, fitted });
const correction = { said: 'I have stole it', better: 'I have stolen it', why: 'The third form.' };

it('compares the score with those of the same practice before', () => {
  expect(scoresSoFar({ earlierScores: [74.4, 79], overall: 85.6 })).toBe(
    'Your scores for this practice so far: 74, 79, 86',
  );
  expect(scoresSoFar({ earlierScores: [], overall: 86 })).toBeNull();
  expect(scoresSoFar({ earlierScores: [74], overall: null })).toBeNull();
});

it('says how many answers another computer still has to score', () => {
  expect(toScoreElsewhereSentence({ toScoreElsewhere: 0 })).toBeNull();
  expect(toScoreElsewhereSentence({ toScoreElsewhere: 1 })).toMatch(/^One of your answers has no score yet/);
  expect(toScoreElsewhereSentence({ toScoreElsewhere: 3 })).toMatch(/^3 of your answers have no score yet/);
});

it('says that nothing was said when there is no answer to correct', () => {
  const said = /^You didn’t say anything/;
  expect(missingCorrectionsReason({ corrections: [] }, { hasAnswered: false, isText: true })).toMatch(said);
  expect(missingCorrectionsReason(null, { hasAnswered: false, isText: true })).toMatch(said);
});

it('distinguishes corrections, none found and no review', () => {
  const spoken = { hasAnswered: true, isText: false };
  expect(missingCorrectionsReason({ corrections: [correction] }, spoken)).toBeNull();
  expect(missingCorrectionsReason({ corrections: [] }, spoken)).toMatch(/found nothing to correct/);
  const found = { ...correction, why: storeFeedbackPoint({ code: 'grammar', rule: 'agree' }) };
  expect(missingCorrectionsReason({ corrections: [found] }, spoken)).toMatch(/couldn’t be reached/);
  expect(missingCorrectionsReason({}, spoken)).toMatch(/couldn’t be reached.*doesn’t change your scores/);
  // In a written practice the language score is part of the overall score.
  expect(missingCorrectionsReason({}, { ...spoken, isText: true })).toMatch(/Your language isn’t part of your score/);
});

it('does not blame the coach for a review that was never requested', () => {
  expect(missingCorrectionsReason(null, { hasAnswered: true, isText: true })).toBeNull();
});

const session = (
  communicationStyle: 'text' | 'audio',
  roles: readonly ('coach' | 'learner')[],
  {
    phase = 'scored',
    assessment = null,
    recordingId = null,
    toScoreElsewhere = 0,
  }: {
    phase?: string;
    assessment?: { unusable?: string } | null;
    recordingId?: string | null;
    toScoreElsewhere?: number;
  } = {},
) =>
  ({
    session: {
      communicationStyle,
      phase,
      turns: roles.map((role) => ({ role, assessment, recordingId, text: 'Hi.' })),
    },
    toScoreElsewhere,
  }) as unknown as Parameters<typeof whyNotScored>[0];

it('gives the missing answer as the reason for a missing score', () => {
  expect(whyNotScored(session('text', ['coach']))).toMatch(/didn’t answer/);
  expect(whyNotScored(session('audio', ['coach']))).toMatch(/didn’t answer/);
  expect(whyNotScored(session('text', ['coach', 'learner']))).toMatch(/you wrote/);
  expect(whyNotScored(session('audio', ['coach', 'learner']))).toMatch(/could be scored/);
});

it('says of answers that were sent why they have no overall score', () => {
  const why = (state: { phase?: string; assessment?: { unusable?: string } }) =>
    whyNotScored(session('audio', ['coach', 'learner'], state));
  expect(why({ phase: 'scoring' })).toMatch(/measured yet/);
  expect(why({ phase: 'scoring_failed' })).toMatch(/scoring failed/);
  expect(why({ assessment: {} })).toMatch(/too short for an overall score/);
  expect(why({ assessment: { unusable: 'silent' } })).toMatch(/could be scored/);
  expect(whyNotScored(session('audio', ['coach'], { phase: 'scoring' }))).toMatch(/didn’t answer/);
});

it('says that an answer with a recording is still to be scored, here or on another computer', () => {
  const spoken = { recordingId: 'a-recording' };
  const why = (state: Parameters<typeof session>[2]) => whyNotScored(session('audio', ['coach', 'learner'], state));
  expect(why(spoken)).toMatch(/measured yet/);
  expect(why({ toScoreElsewhere: 1 })).toMatch(/measured yet/);
  expect(why({ ...spoken, assessment: { unusable: 'silent' } })).toMatch(/could be scored/);
  expect(why({ ...spoken, assessment: {} })).toMatch(/too short for an overall score/);
});

it('offers to try again while scores or the review are missing', () => {
  const notice = (phase: string, isReviewWaiting = false) =>
    retryNotice({ session: { phase }, isReviewWaiting } as unknown as Parameters<typeof retryNotice>[0]);
  expect(notice('scoring')).toMatchObject({ tone: 'info', label: 'Score now' });
  expect(notice('scoring_failed')).toMatchObject({ tone: 'warn', label: 'Try again' });
  expect(notice('scored', true)).toMatchObject({ tone: 'info', label: 'Ask now' });
  expect(notice('scored')).toBeNull();
});

it('counts unmarked words, without omitted and unmeasured ones', () => {
  const word = (accuracy: number | null, error: 'None' | 'Omission' = 'None') => ({ accuracy, error });
  const turns = [{ assessment: { words: [word(90), word(80), word(79), word(null), word(0, 'Omission')] } }];
  expect(clearWordCount(turns as unknown as Parameters<typeof clearWordCount>[0])).toEqual({ clear: 2, total: 3 });
});

it('counts answers, hints and repeated questions', () => {
  expect(answerCountSentence([], { isModelCoach: false })).toBe('You didn’t answer in this practice.');
  expect(answerCountSentence([answer(0)], { isModelCoach: true })).toBe('You answered once. You used no hints.');
  expect(answerCountSentence([answer(1), answer(0, false)], { isModelCoach: false })).toBe(
    'You answered twice. You used a hint once. Your coach had to ask again once.',
  );
});

it('names the part that moved the overall score furthest from the words', () => {
  const words = [90, 86, null].map((accuracy) => ({ accuracy, error: 'None' }));
  const turns = [{ assessment: { words } }] as unknown as Parameters<typeof wordsExplanation>[0];
  const columns = [
    { id: 'fluency', name: 'Flow', score: 50, weight: 42 },
    { id: 'accuracy', name: 'Sounds', score: 85, weight: 28 },
    { id: 'objectives', name: 'Objectives', score: 100, weight: 30 },
  ];
  const explain = (total: number) => wordsExplanation(turns, { total, columns });
  expect(explain(75)).toBe('Your words alone averaged 88. Flow (50) pulled the overall score down the most.');
  expect(explain(94)).toBe('Your words alone averaged 88. Objectives (100) raised the overall score the most.');
  expect(explain(89)).toBeNull();
  expect(wordsExplanation([], { total: 75, columns })).toBeNull();
});
