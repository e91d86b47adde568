import type { PracticeCard } from '@parley/contract';
import { PracticeId } from '@parley/domain';
import { describe, expect, it } from 'vitest';
import { testId } from '../test-kit/test-catalogue.ts';
import { type SuggestionLearner, suggestPractice } from './suggest-practice.ts';

const aCard = (number: number, changes: Partial<PracticeCard> = {}): PracticeCard => ({
  practiceId: PracticeId.parse(testId(number)),
  title: 'Explain a delay',
  category: 'Clients',
  level: 'intermediate',
  minutes: 5,
  descriptionSummary: 'Tell a client that a delivery is late.',
  coverImageUrl: '',
  hasScript: true,
  coachName: 'Maya',
  coachAvatarUrl: '',
  bestScore: null,
  state: 'ready',
  ...changes,
});
const DELAY = aCard(1);
const BANK = aCard(2, { title: 'Open a bank account', category: 'Errands' });
const DOCTOR = aCard(3, { title: 'See a doctor', category: 'Errands' });
const TRAVEL = aCard(4, { title: 'Check in', category: 'Travel', level: 'advanced' });
const ALL = [DELAY, BANK, DOCTOR, TRAVEL];
const YESTERDAY = new Date('2026-11-17T10:00:00Z');
const LAST_MONTH = new Date('2026-10-17T10:00:00Z');

const aLearner = (changes: Partial<SuggestionLearner> = {}): SuggestionLearner => ({
  level: 'intermediate',
  practised: new Map(),
  industry: null,
  weakSounds: [],
  learnerTexts: (practiceId) => (practiceId === DOCTOR.practiceId ? ['a sore throat', 'three months'] : ['delay']),
  ...changes,
});
const suggest = (changes: Partial<SuggestionLearner>) => suggestPractice(ALL, aLearner(changes));

describe('a suggestion', () => {
  it.each([
    ['by default', {}, { practiceId: DELAY.practiceId, reason: { code: 'new_at_level' } }],
    [
      'for an industry',
      { industry: 'Finance and banking' },
      { practiceId: BANK.practiceId, reason: { code: 'industry', industry: 'Finance and banking' } },
    ],
    [
      'for a weak sound',
      { weakSounds: ['ʒ', 'θ'], industry: 'Finance and banking' },
      { practiceId: DOCTOR.practiceId, reason: { code: 'weak_sound', sound: 'θ', words: ['throat', 'three'] } },
    ],
    [
      'at the own level before another industry',
      { industry: 'Hospitality and travel' },
      { practiceId: DELAY.practiceId },
    ],
    ['that is first', { level: null, industry: 'Finance' }, { reason: { code: 'first' } }],
    [
      'that is not the first, if no level is chosen',
      { level: null, practised: new Map([[DELAY.practiceId, YESTERDAY]]) },
      { practiceId: BANK.practiceId, reason: { code: 'new' } },
    ],
    [
      'for a weak sound, if no level is chosen',
      { level: null, practised: new Map([[DELAY.practiceId, YESTERDAY]]), weakSounds: ['θ'] },
      { practiceId: DOCTOR.practiceId, reason: { code: 'weak_sound', sound: 'θ', words: ['throat', 'three'] } },
    ],
    ['for a general word', { industry: 'Public service' }, { practiceId: DELAY.practiceId }],
  ] as const)('%s', (_case, changes, suggestion) => {
    expect(suggest(changes)).toMatchObject(suggestion);
  });

  it('is the practice of longest ago at the own level, once all are done well', () => {
    const practised = new Map([
      [DELAY.practiceId, YESTERDAY],
      [BANK.practiceId, LAST_MONTH],
      [DOCTOR.practiceId, YESTERDAY],
      [TRAVEL.practiceId, new Date(0)],
    ]);
    const done = ALL.map((card) => ({ ...card, bestScore: 90 }));
    expect(suggestPractice(done, aLearner({ practised }))).toEqual({
      practiceId: BANK.practiceId,
      reason: { code: 'again', lastAt: LAST_MONTH },
    });
  });

  const LAST_WEEK = new Date('2026-11-10T10:00:00Z');
  const scored = (scores: readonly number[]): PracticeCard[] =>
    ALL.map((card, at) => ({ ...card, bestScore: scores[at] ?? 90 }));

  it('takes turns among the practices that can improve, at the own level first', () => {
    const scores = [62, 70, 90, 40];
    const practised = new Map([
      [DELAY.practiceId, LAST_WEEK],
      [BANK.practiceId, LAST_MONTH],
      [DOCTOR.practiceId, YESTERDAY],
      [TRAVEL.practiceId, LAST_MONTH],
    ]);
    const suggested = Array.from({ length: 4 }, (_, day) => {
      const suggestion = suggestPractice(scored(scores), aLearner({ practised }));
      // The practice is done the next day, without a better score.
      if (suggestion !== null)
        practised.set(suggestion.practiceId, new Date(YESTERDAY.getTime() + (day + 1) * 86_400_000));
      return suggestion;
    });
    expect(suggested.map((each) => each?.practiceId)).toEqual(
      [BANK, DELAY, BANK, DELAY].map((card) => card.practiceId),
    );
    expect(suggested[0]?.reason).toEqual({ code: 'improve', bestScore: 70 });
  });

  it('is not the practice that was just done, however low its score', () => {
    const practised = new Map([
      [DELAY.practiceId, YESTERDAY],
      [BANK.practiceId, LAST_MONTH],
      [DOCTOR.practiceId, LAST_WEEK],
      [TRAVEL.practiceId, LAST_WEEK],
    ]);
    expect(suggestPractice(scored([50, 90, 90, 90]), aLearner({ practised }))).toMatchObject({
      practiceId: BANK.practiceId,
      reason: { code: 'again' },
    });
    practised.set(BANK.practiceId, new Date('2026-11-18T10:00:00Z'));
    expect(suggestPractice(scored([50, 90, 90, 90]), aLearner({ practised }))).toEqual({
      practiceId: DELAY.practiceId,
      reason: { code: 'improve', bestScore: 50 },
    });
  });
});
