import { describe, expect, it } from 'vitest';
import { outputOf } from '../pronounce/phones.ts';
import { limitByRivals } from './substitutions.ts';

const S = outputOf('S') ?? 0;
const WELL_SAID = { phones: [1.9, 1.8], word: 9.5 };
const withLogOdds = (logOdds: number) => [[{ output: S, logOdds }], []];
const inSentence = { isSingleWord: false };
const singleWord = { isSingleWord: true };

describe('a phone with a rival', () => {
  it('keeps its score while the rival is unlikely', () => {
    const { phones, word } = limitByRivals(WELL_SAID, withLogOdds(-3), inSentence);
    expect(phones).toEqual([{ accuracy: 95 }, { accuracy: 90 }]);
    expect(word).toBe(95);
  });

  it('loses more the likelier the rival is, and its word with it', () => {
    const scores = [0.5, 1, 1.5, 2, 3, 5].map((logOdds) => limitByRivals(WELL_SAID, withLogOdds(logOdds), singleWord));
    const falling = (values: readonly number[]): boolean =>
      values.every((value, at) => at === 0 || value < (values[at - 1] ?? 0));
    expect(falling(scores.slice(0, -1).map(({ phones }) => phones[0]?.accuracy ?? 0))).toBe(true);
    expect(falling(scores.slice(0, -1).map(({ word }) => word))).toBe(true);
    expect(scores.at(-1)).toMatchObject({ phones: [{ accuracy: 30 }, { accuracy: 90 }], word: 40 });
  });

  it('names the rival once it is probable, and then the word counts as mispronounced', () => {
    const heard = limitByRivals(WELL_SAID, withLogOdds(2.2), singleWord);
    expect(heard.phones[0]?.heardAs).toEqual([{ phoneme: 's', likelihood: 0.77 }]);
    expect(heard.word).toBeLessThan(60);
    expect(limitByRivals(WELL_SAID, withLogOdds(1.5), singleWord).phones[0]?.heardAs).toBeUndefined();
  });

  it('is believed sooner in a single word', () => {
    const single = limitByRivals(WELL_SAID, withLogOdds(2.2), singleWord);
    expect(single.phones[0]?.heardAs).toHaveLength(1);
    expect(limitByRivals(WELL_SAID, withLogOdds(2.2), inSentence).phones[0]?.heardAs).toBeUndefined();
  });

  it('never raises a score', () => {
    expect(limitByRivals({ phones: [0.4], word: 2 }, [[{ output: S, logOdds: 1 }]], singleWord)).toEqual({
      phones: [{ accuracy: 20 }],
      word: 20,
    });
  });
});
