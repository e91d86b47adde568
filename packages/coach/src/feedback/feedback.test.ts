import type { Assessment, SessionScores } from '@parley/domain';
import { describe, expect, it } from 'vitest';
import { describeSound } from '../sounds.ts';
import { wordsToTrain } from './words-to-train.ts';
import { type SessionToReview, writeFeedback, writeSummary } from './write-feedback.ts';

const NOT_MEASURED: SessionScores = {
  accuracy: null,
  fluency: null,
  prosody: null,
  completeness: null,
  pron: null,
  words: null,
} as SessionScores;

const session = (changes: Partial<SessionToReview> = {}): SessionToReview => ({
  title: 'Explain a delay',
  assessments: [],
  scores: NOT_MEASURED,
  objectives: [
    { description: 'Say how late it is', done: true },
    { description: 'Offer a new date', done: false },
  ],
  objectivesJudged: true,
  learnerTurns: 4,
  hintedTurns: 0,
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
const think = word('think', 45, {
  phonemes: [
    { phoneme: 'θ', startMs: 0, endMs: 90, accuracy: 20, heardAs: [{ phoneme: 's', likelihood: 0.7 }] },
    { phoneme: 'ɪ', startMs: 90, endMs: 200, accuracy: 90 },
  ],
});

describe('feedback', () => {
  const sentences = (of: SessionToReview): string[] => {
    const { best, fix, nextStep } = writeFeedback(of);
    return [best, fix, nextStep];
  };
  const everyKind: [what: string, session: SessionToReview][] = [
    ['a written session', session()],
    ['a session of nothing', session({ objectives: [], learnerTurns: 0 })],
    ['a session with hints', session({ objectives: [], hintedTurns: 3 })],
    [
      'a good spoken session',
      session({ scores: { ...NOT_MEASURED, accuracy: 92, fluency: 88, prosody: 75, completeness: 100, pron: 88 } }),
    ],
    [
      'a weak spoken session',
      session({
        scores: { ...NOT_MEASURED, accuracy: 40, fluency: 35, prosody: null, completeness: 60, pron: 41 },
        assessments: [heard(think)],
      }),
    ],
  ];
  it.each(everyKind)('of %s is three whole sentences', (_what, of) => {
    for (const sentence of sentences(of)) {
      expect(sentence).toMatch(/^[A-Z“].*[.!?]$/);
      expect(sentence).not.toMatch(/null|undefined|NaN|\.\.|\$\{/);
    }
  });

  it('of a session in which nothing was said praises nothing and finds no fault', () => {
    const nothing = session({ learnerTurns: 0 });
    expect(sentences(nothing)).toEqual([
      'You ended before your first answer, so there is nothing to say here yet.',
      'Nothing was said that could be measured: one short answer is enough to begin with.',
      'Next, hold “Explain a delay” again, and open a hint if no words come.',
    ]);
    expect(writeSummary(nothing)).toBe('You ended it before your first answer.');
  });

  it('of sound that could not be scored says so, and what to do', () => {
    const hint = 'There is too much noise to score this fairly. Move somewhere quieter.';
    const noisy = session({
      assessments: [{ ...heard(), accuracy: null, pron: null, unusable: { reason: 'noisy', hint } }],
    });
    const { fix, nextStep } = writeFeedback(noisy);
    expect(fix).toBe(`What you said could not be scored. ${hint}`);
    expect(nextStep).toBe('Next, check the microphone in Settings, then hold “Explain a delay” again.');
  });

  it('does not call what was not measured faultless', () => {
    const { fix } = writeFeedback(session({ objectives: [] }));
    expect(fix).toBe('Nothing was measured here that could show what to work on.');
    expect(writeSummary(session({ objectives: [], learnerTurns: 1 }))).toBe('You talked for 1 turn.');
  });

  it('does not praise and blame the same', () => {
    const { best, fix } = writeFeedback(session({ scores: { ...NOT_MEASURED, fluency: 81.4 } }));
    expect(best).toMatch(/steady flow: 81 of 100/);
    expect(fix).toMatch(/^Your lowest score is 81, for your flow: /);
  });

  it('names no score where none was measured', () => {
    expect(sentences(session()).join(' ')).not.toMatch(/\d+ of 100/);
    const openTwo = session({
      objectives: ['Offer a new date', 'Say goodbye'].map((description) => ({ description, done: false })),
    });
    expect(writeFeedback(openTwo).fix).toBe('Still open: offer a new date. 1 more is open too.');
    expect(writeFeedback(session()).fix).toBe('Still open: offer a new date.');
    const unjudged = { ...openTwo, objectivesJudged: false };
    expect(writeFeedback(unjudged).fix).not.toMatch(/open/);
    expect(writeSummary(unjudged)).toMatch(/could not be reached to judge/);
    expect(writeSummary(session())).toBe('You reached 1 of 2 objectives in 4 turns.');
  });

  it('names what was best as it was measured, and what to work on in words that people know', () => {
    const { best, fix, nextStep } = writeFeedback(
      session({
        scores: { ...NOT_MEASURED, accuracy: 55, fluency: 81.4, prosody: 60, pron: 66 },
        assessments: [heard(think)],
      }),
    );
    expect(best).toContain('81 of 100');
    expect(fix).toBe('In “think”, work on the “th” in “three”. It sounded more like the “s” in “see”.');
    expect(nextStep).toContain('“think”');
  });

  it('does not praise what was not good', () => {
    const { best } = writeFeedback(
      session({ scores: { ...NOT_MEASURED, accuracy: 30, fluency: 31, pron: 30 }, objectives: [] }),
    );
    expect(best).not.toMatch(/of 100|clear|natural|steady/);
  });
});

describe('words to train', () => {
  it('are the worst, each once, meaning before grammar, at most five', () => {
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

  it('hold a good word with one bad sound, and no word that was left out, not measured or said into noise', () => {
    const mixed = { ...think, accuracy: 75 };
    expect(wordsToTrain([heard(mixed)])).toMatchObject([{ word: 'think', worstPhonemes: ['θ'] }]);
    expect(wordsToTrain([heard(word('gone', 0, { error: 'Omission' }), word('你好', null))])).toEqual([]);
    expect(wordsToTrain([{ ...heard(word('bad', 10)), unusable: { reason: 'noisy', hint: '' } }])).toEqual([]);
  });
});

it('a sound without an example is named by its symbol', () => {
  expect(describeSound('θ')).toBe('the “th” in “three”');
  expect(describeSound('x')).toBe('the sound /x/');
});
