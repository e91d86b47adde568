import {
  type Assessment,
  FeedbackPoint,
  ObjectiveId,
  PracticeId,
  readFeedbackText,
  SCORE_DIMENSIONS,
  type SessionScores,
  TurnId,
} from '@parley/domain';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { chooseFeedback, toStoredFeedback, toStoredSummary } from './choose-feedback.ts';
import type { SessionToReview } from './session-to-review.ts';
import { wordsToTrain } from './words-to-train.ts';

const NOT_MEASURED: SessionScores = {
  accuracy: null,
  fluency: null,
  prosody: null,
  completeness: null,
  pron: null,
  words: null,
  overall: null,
};

const turnIdOf = (index: number): TurnId => TurnId.parse(`019a0000-0000-7000-8000-${String(index).padStart(12, '0')}`);
const objectiveId = (index: number): ObjectiveId =>
  ObjectiveId.parse(`019b0000-0000-7000-8000-${String(index).padStart(12, '0')}`);
const aTurn = (index: number, assessment: Assessment | null = null) => ({
  turnId: turnIdOf(index),
  assessment,
  hintLevel: 0,
});
const anObjective = (index: number, isDone: boolean) => ({
  objectiveId: objectiveId(index),
  isDone,
  provedIn: isDone ? turnIdOf(1) : null,
});

const session = (changes: Partial<SessionToReview> = {}): SessionToReview => ({
  turns: [aTurn(1), aTurn(2)],
  scores: NOT_MEASURED,
  objectives: [anObjective(1, true), anObjective(2, false)],
  objectivesJudged: true,
  mainCorrection: null,
  difficulty: 'easy',
  weakSounds: [],
  removedWords: new Set(),
  practiceWithSound: () => null,
  ...changes,
});

type WordOf = Assessment['words'][number];
const word = (text: string, accuracy: number | null, changes: Partial<WordOf> = {}): WordOf => ({
  word: text,
  startMs: 0,
  endMs: 400,
  accuracy,
  error: 'None',
  phonemes: [],
  ...changes,
});
const heard = (...words: WordOf[]): Assessment => ({
  source: 'device',
  durationMs: 2_000,
  snrDb: 30,
  accuracy: 70,
  fluency: 80,
  prosody: 60,
  completeness: 100,
  pron: 72,
  words,
  pitch: [],
  pauses: [],
});
const th = (accuracy: number) => ({
  phoneme: 'θ',
  startMs: 0,
  endMs: 90,
  accuracy,
  heardAs: [{ phoneme: 's', likelihood: 0.7 }],
});
const think = word('think', 45, { startMs: 1_200.4, endMs: 1_600, phonemes: [th(20)] });
const clear = ['We', 'deliver', 'on', 'Tuesday'].map((text) => word(text, 92));
const scores = (changes: Partial<SessionScores>): SessionScores => ({ ...NOT_MEASURED, ...changes });

describe('chooseFeedback', () => {
  it('names the word, the sound, its substitute and the place', () => {
    const month = word('month', 55, { phonemes: [th(30)] });
    const { fix, nextStep } = chooseFeedback(
      session({
        turns: [aTurn(1, heard(...clear)), aTurn(2, heard(think, month))],
        scores: scores({ accuracy: 55, fluency: 81, prosody: 60, pron: 66 }),
      }),
    );
    expect(fix).toEqual({
      code: 'sound',
      turnId: turnIdOf(2),
      startMs: 1_200,
      endMs: 1_600,
      word: 'think',
      sound: 'θ',
      heard: 's',
      score: 45,
      also: ['month'],
    });
    expect(nextStep).toEqual({ code: 'review_words', words: ['think', 'month'] });
  });

  it('drills a sound that was weak in several words that were clear enough', () => {
    const said = heard(...[80, 75].map((accuracy, at) => word(`th${at}`, accuracy, { phonemes: [th(30)] })));
    const spoken = session({ turns: [aTurn(1, said)], scores: scores({ accuracy: 80 }) });
    expect(chooseFeedback(spoken)).toMatchObject({
      fix: { code: 'sound', also: ['th0'] },
      nextStep: { code: 'drill_sound', sound: 'θ' },
    });
  });

  const PRACTICE = PracticeId.parse('019c0000-0000-7000-8000-000000000001');
  const words: [string, string] = ['three', 'throat'];
  /** Only this sound has another practice. */
  const practiceWithSound = (sound: string) => (sound === 'θ' ? { practiceId: PRACTICE, words } : null);

  it('suggests another practice for a sound that has been weak before', () => {
    const said = heard(...[80, 75].map((accuracy, at) => word(`th${at}`, accuracy, { phonemes: [th(30)] })));
    const spoken = session({ turns: [aTurn(1, said)], scores: scores({ accuracy: 80 }), practiceWithSound });
    const nextStep = { code: 'practice_with_sound', sound: 'θ', practiceId: PRACTICE, words };
    expect(chooseFeedback({ ...spoken, weakSounds: ['ð', 'θ'] }).nextStep).toEqual(nextStep);
    expect(chooseFeedback({ ...spoken, weakSounds: ['ð'] }).nextStep.code).toBe('drill_sound');
    const withoutPractice = { ...spoken, weakSounds: ['θ'], practiceWithSound: () => null };
    expect(chooseFeedback(withoutPractice).nextStep.code).toBe('drill_sound');
  });

  it('praises the clearest sentence, and not the one to fix', () => {
    const best = { ...heard(...clear), pron: 91 };
    const spoken = session({
      turns: [aTurn(1, best), aTurn(2, { ...heard(...clear, think), pron: 95 })],
      scores: scores({ accuracy: 70 }),
    });
    expect(chooseFeedback(spoken).best).toMatchObject({
      code: 'clear_sentence',
      turnId: turnIdOf(1),
      score: 91,
      isEveryWordClear: true,
    });
  });

  it('names the clearest sentence even when none was clear', () => {
    const fair = (pron: number) => ({ ...heard(...['We', 'sent', 'it', 'late'].map((text) => word(text, 70))), pron });
    const turns = [aTurn(1, fair(61)), aTurn(2, fair(66)), aTurn(3, { ...heard(word('Yes', 70)), pron: 75 })];
    const spoken = session({ turns, scores: scores({ accuracy: 66, fluency: 75, pron: 64 }), mainCorrection: 0 });
    expect(chooseFeedback(spoken).best).toEqual({
      code: 'clear_sentence',
      turnId: turnIdOf(2),
      startMs: 0,
      endMs: 400,
      score: 66,
      isEveryWordClear: false,
    });
    expect(chooseFeedback({ ...spoken, turns: turns.slice(0, 1) }).best.code).not.toBe('clear_sentence');
  });

  it('lets a steady flow be heard in the longest sentence that is not the one to fix', () => {
    const fair = (count: number) => ({
      ...heard(
        ...Array.from({ length: count }, (_, at) => word('late', 70, { startMs: at * 500, endMs: at * 500 + 400 })),
      ),
      pron: 66,
    });
    const spoken = session({
      turns: [aTurn(1, fair(3)), aTurn(2, fair(5)), aTurn(3, { ...heard(...clear, ...clear, think), pron: 79 })],
      scores: scores({ accuracy: 66, fluency: 88, pron: 66 }),
    });
    expect(chooseFeedback(spoken)).toMatchObject({
      best: { code: 'steady', turns: 3, score: 88, turnId: turnIdOf(2), startMs: 0, endMs: 2_400 },
      fix: { turnId: turnIdOf(3) },
    });
  });

  it('reads a steady flow that an older app stored without a place', () => {
    const stored = JSON.stringify({ v: 1, code: 'steady', turns: 3, score: 88 });
    expect(readFeedbackText(stored).point).toEqual({ code: 'steady', turns: 3, score: 88 });
  });

  it('fixes first the part that lowered the score most', () => {
    const stopped = word('Tuesday', 90, { startMs: 1_900, endMs: 2_300, error: 'UnexpectedBreak' });
    const said = heard(word('on', 90, { startMs: 600, endMs: 800 }), stopped, think);
    const spoken = (changes: Partial<SessionScores>) =>
      chooseFeedback(session({ turns: [aTurn(1, said)], scores: scores(changes) }));
    const pause = { code: 'pause', turnId: turnIdOf(1), startMs: 600, endMs: 2_300, word: 'Tuesday', pauseMs: 1_100 };
    expect(spoken({ accuracy: 80, fluency: 50 })).toMatchObject({
      fix: pause,
      nextStep: { code: 'shadow', turnId: turnIdOf(1) },
    });
    expect(spoken({ accuracy: 50, fluency: 80 }).fix.code).toBe('sound');
  });

  it('measures how flat a voice was, and names the words that were left out', () => {
    const pitch = Array.from({ length: 80 }, (_, index) => ({ ms: index * 20, hz: 120 * 2 ** ((index % 2) / 12) }));
    const flat = { ...heard(word('We', 90, { error: 'Monotone' }), ...clear), pitch };
    const one = (assessment: Assessment, changes: Partial<SessionScores>) =>
      chooseFeedback(session({ turns: [aTurn(1, assessment)], scores: scores(changes) })).fix;
    expect(one(flat, { prosody: 40 })).toMatchObject({ code: 'flat', semitones: 1, endMs: 2_000 });
    const omitted = heard(word('on', 0, { error: 'Omission', endMs: 0 }), ...clear);
    expect(one(omitted, { completeness: 60, accuracy: 90 })).toMatchObject({ code: 'left_out', words: ['on'] });
  });

  it('names the sentence that pulled a weak dimension down, before the language', () => {
    const turns = [75, 52, 64].map((prosody, at) => aTurn(at, { ...heard(...clear, word('now', 92)), prosody }));
    const weak = session({ turns, scores: scores({ prosody: 63, accuracy: 92 }), mainCorrection: 0 });
    expect(chooseFeedback(weak)).toMatchObject({
      fix: { code: 'weak_sentence', turnId: turnIdOf(1), dimension: 'prosody', score: 52 },
      nextStep: { code: 'shadow', turnId: turnIdOf(1) },
    });
    const fair = { ...weak, scores: scores({ prosody: 75, accuracy: 92 }) };
    expect(chooseFeedback(fair).fix.code).toBe('correction');
  });

  it('neither praises nor criticises a session without answers', () => {
    const nothing = session({ turns: [] });
    expect(chooseFeedback(nothing)).toEqual({
      best: { code: 'nothing_said' },
      fix: { code: 'nothing_said' },
      nextStep: { code: 'again', objectiveId: null },
    });
  });

  it('gives the reason why audio could not be scored', () => {
    const unusable = { reason: 'noisy', hint: 'Noise.' } as const;
    const noisy = session({ turns: [aTurn(1, { ...heard(), accuracy: null, pron: null, unusable })] });
    expect(chooseFeedback(noisy)).toMatchObject({
      fix: { code: 'not_scored', reason: 'noisy', cause: null },
      nextStep: { code: 'check_microphone' },
    });
  });

  it('speaks of the language in a written session', () => {
    expect(chooseFeedback(session({ mainCorrection: 1 }))).toMatchObject({
      best: { code: 'objective_reached', objectiveId: objectiveId(1) },
      fix: { code: 'correction', index: 1 },
      nextStep: { code: 'say_better', index: 1 },
    });
    expect(chooseFeedback(session())).toMatchObject({
      fix: { code: 'objective_open', objectiveId: objectiveId(2), others: 0 },
      nextStep: { code: 'again', objectiveId: objectiveId(2) },
    });
    const done = session({ objectives: [anObjective(1, true)] });
    expect(chooseFeedback(done)).toMatchObject({ fix: { code: 'nothing_to_fix' }, nextStep: { code: 'by_voice' } });
  });

  it('does not call an open objective missed when it was not judged', () => {
    const unjudged = session({ objectivesJudged: false });
    expect(chooseFeedback(unjudged).fix.code).toBe('not_measured');
    expect(readFeedbackText(toStoredSummary(unjudged)).point).toMatchObject({ isJudged: false });
  });

  it('suggests a harder level when all is well', () => {
    const good = session({
      turns: [aTurn(1, { ...heard(...clear), pron: 96 })],
      scores: scores({ accuracy: 97, fluency: 97, prosody: 97, completeness: 100, pron: 97 }),
      objectives: [anObjective(1, true)],
    });
    expect(chooseFeedback(good).nextStep).toEqual({ code: 'harder', difficulty: 'intermediate' });
    const hardest = { ...good, difficulty: 'hard', practiceWithSound } as const;
    expect(chooseFeedback(hardest).nextStep).toEqual({ code: 'another_practice' });
    expect(chooseFeedback({ ...hardest, weakSounds: ['ð', 'θ'] }).nextStep).toMatchObject({ sound: 'θ' });
  });

  it('suggests the same practice again if most answers were read from hints', () => {
    const hinted = (...levels: number[]) =>
      session({
        turns: levels.map((hintLevel, at) => ({ ...aTurn(at, { ...heard(...clear), pron: 96 }), hintLevel })),
        scores: scores({ accuracy: 97, fluency: 97, prosody: 97, completeness: 100, pron: 97 }),
        objectives: [anObjective(1, true)],
      });
    expect(chooseFeedback(hinted(3, 1, 3))).toMatchObject({
      fix: { code: 'hints', turns: 3 },
      nextStep: { code: 'again', objectiveId: null },
    });
    expect(chooseFeedback(hinted(0, 3, 0)).nextStep).toEqual({ code: 'harder', difficulty: 'intermediate' });
  });

  it('suggests no review of a word that the learner has taken off their list', () => {
    const weak = heard(word('Müller', 30), word('Friday', 40));
    const spoken = session({ turns: [aTurn(1, weak)], scores: scores({ accuracy: 35 }) });
    const suggested = (...removed: string[]) => chooseFeedback({ ...spoken, removedWords: new Set(removed) }).nextStep;
    expect(suggested()).toEqual({ code: 'review_words', words: ['müller', 'friday'] });
    expect(suggested('müller')).toEqual({ code: 'review_words', words: ['friday'] });
    expect(suggested('müller', 'friday')).toEqual({ code: 'shadow', turnId: turnIdOf(1) });
  });

  const anyScore = fc.option(fc.double({ min: 0, max: 100, noNaN: true }), { nil: null });
  const anyWord = fc.record({
    word: fc.constantFrom('think', 'the', 'Tuesday', 'a'.repeat(80)),
    startMs: fc.double({ min: 0, max: 5_000, noNaN: true }),
    endMs: fc.double({ min: 5_000, max: 9_000, noNaN: true }),
    accuracy: anyScore,
    error: fc.constantFrom('None', 'Omission', 'Insertion', 'Mispronunciation', 'UnexpectedBreak', 'Monotone'),
    phonemes: fc.constantFrom(null, 20, 90).map((accuracy) => (accuracy === null ? [] : [th(accuracy)])),
  });
  const anyTurn = fc.array(anyWord, { maxLength: 8 }).map((words) => heard(...words));
  const anySession = fc.record({
    turns: fc
      .array(fc.option(anyTurn, { nil: null }), { maxLength: 5 })
      .map((all) => all.map((one, at) => aTurn(at, one))),
    scores: fc
      .record(Object.fromEntries(SCORE_DIMENSIONS.map((name) => [name, anyScore])))
      .map((dimensions) => scores({ ...dimensions, pron: dimensions['accuracy'] ?? null })),
    objectives: fc.array(fc.boolean(), { maxLength: 4 }).map((all) => all.map((isDone, at) => anObjective(at, isDone))),
    objectivesJudged: fc.boolean(),
    mainCorrection: fc.option(fc.nat(7), { nil: null }),
    difficulty: fc.constantFrom('easy', 'intermediate', 'hard'),
    weakSounds: fc.subarray(['θ', 's']),
    removedWords: fc.subarray(['think', 'tuesday']).map((words) => new Set(words)),
    practiceWithSound: fc.constantFrom(practiceWithSound, () => null),
  });

  it('reports only measurements: each point names a turn, word and score', () => {
    fc.assert(
      fc.property(anySession, (of) => {
        for (const point of Object.values(chooseFeedback(of))) {
          expect(FeedbackPoint.parse(point)).toEqual(point);
          if (!('turnId' in point) || point.turnId === null || point.code === 'objective_reached') continue;
          const turn = of.turns.find(({ turnId }) => turnId === point.turnId);
          expect(turn?.assessment).not.toBeNull();
          if (point.code !== 'sound' && point.code !== 'word') continue;
          const named = turn?.assessment?.words.filter((each) => each.word.slice(0, 60) === point.word) ?? [];
          expect(named.map(({ accuracy }) => Math.round(accuracy ?? -1))).toContain(point.score);
        }
      }),
    );
  });

  it('fits the columns of the row, whatever the answers', () => {
    fc.assert(
      fc.property(anySession, (of) => {
        const { best, fix, nextStep } = toStoredFeedback(of, { best: 'x'.repeat(400), fix: null });
        for (const text of [best, fix, nextStep]) {
          expect(text.length).toBeLessThanOrEqual(400);
          expect(readFeedbackText(text).point).not.toBeNull();
        }
      }),
    );
  });
});

describe('wordsToTrain', () => {
  it('lists the worst words once, content words first, five at most', () => {
    const words = wordsToTrain([
      heard(word('the', 10), word('Quarter', 50), word('invoice', 30), word('fine', 90)),
      heard(word('quarter', 40), word('a', 20), word('schedule', 55), word('clothes', 35), word('months', 45)),
    ]);
    expect(words.map(({ word: text, accuracy }) => `${text} ${accuracy}`)).toEqual([
      'invoice 30',
      'clothes 35',
      'quarter 40',
      'months 45',
      'schedule 55',
    ]);
  });

  it('includes a good word with a bad sound, but no omitted or unmeasured word', () => {
    const mixed = { ...think, accuracy: 75 };
    expect(wordsToTrain([heard(mixed)])).toMatchObject([{ word: 'think', worstPhonemes: ['θ'] }]);
    expect(wordsToTrain([heard(word('gone', 0, { error: 'Omission' }), word('你好', null))])).toEqual([]);
    expect(wordsToTrain([{ ...heard(word('bad', 10)), unusable: { reason: 'noisy', hint: '' } }])).toEqual([]);
  });
});
