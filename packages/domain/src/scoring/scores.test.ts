import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Assessment, WordAssessment } from './assessment.ts';
import { rescoreFreeSpeech, pronScore, scoreSession } from './scores.ts';

const word = (overrides: Partial<WordAssessment> = {}): WordAssessment => ({
  word: 'delay',
  startMs: 0,
  endMs: 400,
  accuracy: 90,
  error: 'None',
  phonemes: [],
  ...overrides,
});

const assessment = (overrides: Partial<Assessment> = {}): Assessment => ({
  source: 'device',
  durationMs: 2_000,
  snrDb: 30,
  accuracy: 80,
  fluency: 70,
  prosody: 60,
  completeness: 100,
  pron: null,
  words: someWords(5),
  pitch: [],
  pauses: [],
  ...overrides,
});

/** Words that follow each other without a pause. */
const someWords = (count: number, { ms = 400, ...overrides }: Partial<WordAssessment> & { ms?: number } = {}) =>
  Array.from({ length: count }, (_, index) => word({ startMs: index * ms, endMs: (index + 1) * ms, ...overrides }));

const session = (assessments: Assessment[]) =>
  scoreSession({
    communicationStyle: 'audio',
    assessments,
    objectivesDone: 1,
    objectivesTotal: 2,
    languageQuality: null,
  });

describe('pronScore', () => {
  it('weighs the weakest of four dimensions with 0.4', () => {
    expect(pronScore({ accuracy: 80, fluency: 70, prosody: 60, completeness: 100 })).toBe(74);
  });

  it('weighs three with 0.6, 0.2, 0.2 and two with 0.6, 0.4', () => {
    expect(pronScore({ accuracy: 80, fluency: 70, prosody: null, completeness: 100 })).toBe(78);
    expect(pronScore({ accuracy: 80, fluency: 70, prosody: null, completeness: null })).toBe(74);
  });

  it('is null when nothing was measured', () => {
    expect(pronScore({ accuracy: null, fluency: null, prosody: null, completeness: null })).toBeNull();
  });

  it('lies between the lowest and the highest measured dimension', () => {
    const dimension = fc.option(fc.double({ min: 0, max: 100, noNaN: true }), { nil: null });
    fc.assert(
      fc.property(
        fc.tuple(dimension, dimension, dimension, dimension),
        ([accuracy, fluency, prosody, completeness]) => {
          const values = [accuracy, fluency, prosody, completeness].filter((value) => value !== null);
          const score = pronScore({ accuracy, fluency, prosody, completeness });
          if (values.length === 0) return score === null;
          return score !== null && score >= Math.min(...values) - 0.1 && score <= Math.max(...values) + 0.1;
        },
      ),
    );
  });
});

describe('scoreSession', () => {
  it('weighs accuracy by words', () => {
    const long = assessment({ accuracy: 90 });
    const short = assessment({ accuracy: 50, words: [word()] });
    expect(session([long, short]).accuracy).toBe(83.3);
  });

  it('weighs fluency by speaking time', () => {
    const quick = assessment({ fluency: 90, words: someWords(5, { ms: 400 }) });
    const slow = assessment({ fluency: 50, words: someWords(5, { ms: 1_200 }) });
    expect(session([quick, slow]).fluency).toBe(60);
  });

  it('weighs prosody by words, from five words on', () => {
    const short = assessment({ prosody: 90, words: someWords(5) });
    const long = assessment({ prosody: 50, words: someWords(15) });
    const tooShort = assessment({ prosody: 0, words: someWords(4) });
    expect(session([short, long, tooShort]).prosody).toBe(60);
  });

  it('weighs completeness by the words of the text, said or not', () => {
    const insertions = someWords(10, { error: 'Insertion', accuracy: null });
    const complete = assessment({ completeness: 100, words: [...someWords(5), ...insertions] });
    const omissions = someWords(10, { error: 'Omission', accuracy: null });
    const partial = assessment({ completeness: 20, words: [...someWords(5), ...omissions] });
    expect(session([complete, partial]).completeness).toBe(40);
  });

  it('excludes the prosody of short utterances, and unusable ones entirely', () => {
    const short = assessment({ prosody: 10, words: [word()] });
    const unusable = assessment({ accuracy: 0, unusable: { reason: 'noisy', hint: 'Move somewhere quieter.' } });
    const scores = session([short, unusable]);
    expect(scores.prosody).toBeNull();
    expect(scores.accuracy).toBe(80);
  });

  it('counts correct words among the spoken ones', () => {
    const words = [
      word(),
      word({ error: 'Mispronunciation', accuracy: 40 }),
      word({ error: 'Omission', accuracy: null }),
      // There is no score for a word that cannot be pronounced.
      word({ accuracy: null }),
    ];
    expect(session([assessment({ words })]).words).toBe(50);
  });

  it('includes objectives in the overall score of a spoken session', () => {
    expect(session([assessment()]).overall).toBe(66.8);
  });

  it('has no overall score without speech, even with objectives reached', () => {
    expect(session([]).overall).toBeNull();
  });

  it.each([
    [{ objectivesDone: 1, objectivesTotal: 4, languageQuality: 75 }, 50],
    [{ objectivesDone: 0, objectivesTotal: 0, languageQuality: 75 }, 75],
    [{ objectivesDone: 0, objectivesTotal: 0, languageQuality: null }, null],
  ])('scores a typed session by what is known of its objectives and language: %o', (known, overall) => {
    expect(scoreSession({ communicationStyle: 'text', assessments: [], ...known }).overall).toBe(overall);
  });

  it('never gives a typed session a speech score', () => {
    const scores = scoreSession({
      communicationStyle: 'text',
      assessments: [],
      objectivesDone: 1,
      objectivesTotal: 4,
      languageQuality: null,
    });
    expect(scores).toEqual({
      accuracy: null,
      fluency: null,
      prosody: null,
      completeness: null,
      pron: null,
      words: null,
      overall: 25,
    });
  });
});

describe('rescoreFreeSpeech', () => {
  it('drops completeness and recomputes the pronunciation score', () => {
    const free = rescoreFreeSpeech(assessment({ accuracy: 80, fluency: 70, prosody: 60, completeness: 100, pron: 71 }));
    expect(free).toMatchObject({ completeness: null, pron: 0.6 * 60 + 0.2 * 70 + 0.2 * 80 });
  });

  it.each(['not_the_text', 'too_short'] as const)('does not tell the learner to read a sentence when %s', (reason) => {
    const hint = 'We heard something else than this sentence. Read it again.';
    const { unusable } = rescoreFreeSpeech(assessment({ accuracy: null, unusable: { reason, hint } }));
    expect(unusable).toEqual({ reason, cause: 'free_speech', hint: expect.not.stringMatching(/sentence|Read/) });
  });

  it('keeps the hint for clipped audio', () => {
    const unusable = { reason: 'clipped' as const, hint: 'Move a little away.' };
    expect(rescoreFreeSpeech(assessment({ unusable })).unusable).toEqual(unusable);
  });
});
