import { describe, expect, it } from 'vitest';
import { outputOf } from '../pronounce/phones.ts';
import { lostToRules, lowerByExchanges } from './substitutions.ts';

const S = outputOf('S') ?? 0;
const WELL_SAID = { phones: [1.9, 1.8], word: 9.5 };
const inSentence = { isSingleWord: false };
const singleWord = { isSingleWord: true };

/** The first phone has a rival with this log-odds, and the detector says the same of an exchange. */
const withLogOdds = (logOdds: number, isSingleWord: { isSingleWord: boolean }) =>
  lowerByExchanges(
    {
      ...WELL_SAID,
      exchanges: [logOdds, -6],
      leftOut: [],
      confusedNumbers: [],
      rivals: [[{ output: S, logOdds }], []],
    },
    isSingleWord,
  );

describe('a phone of a sentence', () => {
  it('keeps its score while an exchange is unlikely', () => {
    expect(withLogOdds(-3, inSentence).phones).toEqual([{ accuracy: 95 }, { accuracy: 90 }]);
  });

  it('takes its word a third of the way down to it', () => {
    expect(withLogOdds(0, inSentence).word).toBeCloseTo(95 - (95 - 72.5) * 0.35, 0);
    const allWell = {
      phones: [2, 2],
      exchanges: [-6, -6],
      leftOut: [],
      confusedNumbers: [],
      rivals: [[], []],
      word: 9.5,
    };
    expect(lowerByExchanges(allWell, inSentence).word).toBe(95);
  });

  it('loses up to 22.5 points the likelier an exchange is, and other phones nothing', () => {
    const accuracies = [-4, -2, -1.5, -1, 0].map((logOdds) => withLogOdds(logOdds, inSentence).phones);
    expect(accuracies.map(([exchanged]) => exchanged?.accuracy)).toEqual([95, 91.3, 83.7, 76.3, 72.5]);
    for (const [, other] of accuracies) expect(other?.accuracy).toBe(90);
  });

  it('is reported as another one once that is more likely than not', () => {
    expect(withLogOdds(0.5, inSentence).phones[0]?.heardAs).toEqual([{ phoneme: 's', likelihood: 0.62 }]);
    expect(withLogOdds(-0.5, inSentence).phones[0]?.heardAs).toBeUndefined();
  });

  it('scores less the likelier its ending was left out', () => {
    const scoresOf = (logRatio: number) =>
      lowerByExchanges(
        {
          phones: [1.9, 1.8],
          exchanges: [-6, -6],
          leftOut: [-Infinity, logRatio],
          confusedNumbers: [],
          rivals: [[], []],
          word: 9.5,
        },
        inSentence,
      );
    expect([3, 5.5, 9].map((logRatio) => scoresOf(logRatio).phones[1]?.accuracy)).toEqual([90, 70, 40]);
    expect(scoresOf(9).phones[0]?.accuracy).toBe(95);
    expect(scoresOf(9).word).toBeLessThan(scoresOf(3).word - 10);
  });

  it('makes its word another number, which then counts as wrong', () => {
    const scoresOf = (doubt: number) =>
      lowerByExchanges(
        {
          phones: [1.9, 1.8],
          exchanges: [-6, -6],
          leftOut: [],
          confusedNumbers: [0, doubt],
          rivals: [[], []],
          word: 9.5,
        },
        inSentence,
      );
    expect(scoresOf(0)).toMatchObject({ phones: [{ accuracy: 95 }, { accuracy: 90 }], word: scoresOf(0).word });
    expect(scoresOf(5)).toMatchObject({ phones: [{ accuracy: 95 }, { accuracy: 40 }], word: 55 });
    expect(scoresOf(1).word).toBeLessThan(scoresOf(0).word);
  });

  it('takes from its sentence what its word lost to a rule, but not what an exchange cost', () => {
    const scores = { ...WELL_SAID, exchanges: [-6, -6], leftOut: [], confusedNumbers: [], rivals: [[], []] };
    const best = lowerByExchanges(scores, inSentence).word;
    expect(lostToRules({ ...scores, exchanges: [4, -6] })).toBe(0);
    expect(lostToRules({ ...scores, confusedNumbers: [0, 5] })).toBeCloseTo(best - 55);
    expect(lostToRules({ ...scores, leftOut: [-Infinity, 9] })).toBeGreaterThan(10);
  });

  it('never scores below zero', () => {
    const scores = { phones: [0.2], exchanges: [4], leftOut: [], confusedNumbers: [], rivals: [[]], word: 2 };
    expect(lowerByExchanges(scores, inSentence)).toEqual({ phones: [{ accuracy: 0 }], word: 13 });
  });
});

describe('a phone of a single word', () => {
  it('loses more the likelier the rival is, and its word with it', () => {
    const scores = [0.5, 1, 1.5, 2, 3, 5].map((logOdds) => withLogOdds(logOdds, singleWord));
    const falling = (values: readonly number[]): boolean =>
      values.every((value, at) => at === 0 || value < (values[at - 1] ?? 0));
    expect(falling(scores.slice(0, -1).map(({ phones }) => phones[0]?.accuracy ?? 0))).toBe(true);
    expect(falling(scores.slice(0, -1).map(({ word }) => word))).toBe(true);
    expect(scores.at(-1)).toMatchObject({ phones: [{ accuracy: 30 }, { accuracy: 90 }], word: 35 });
  });

  it('names the rival once it is probable, and then the word counts as mispronounced', () => {
    const heard = withLogOdds(2.2, singleWord);
    expect(heard.phones[0]?.heardAs).toEqual([{ phoneme: 's', likelihood: 0.77 }]);
    expect(heard.word).toBeLessThan(60);
    expect(withLogOdds(1.5, singleWord).phones[0]?.heardAs).toBeUndefined();
  });

  it('lowers its word when it is weak, also without a rival', () => {
    const wordWith = (phone: number) =>
      lowerByExchanges(
        { phones: [phone, 1.9], exchanges: [-6, -6], leftOut: [], confusedNumbers: [], rivals: [[], []], word: 9 },
        singleWord,
      ).word;
    expect([1.9, 1.2, 0.6].map(wordWith)).toEqual([90, 75, 60]);
  });

  it('never scores higher for a rival', () => {
    const scores = {
      phones: [0.4],
      exchanges: [-6],
      leftOut: [],
      confusedNumbers: [],
      rivals: [[{ output: S, logOdds: 1 }]],
      word: 2,
    };
    expect(lowerByExchanges(scores, singleWord)).toEqual({ phones: [{ accuracy: 20 }], word: 20 });
  });
});
