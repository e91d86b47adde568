import { describe, expect, it } from 'vitest';
import type { Alignment } from '../align/align.ts';
import { outputOf } from '../pronounce/phones.ts';
import type { ExpectedWord } from '../pronounce/pronounce.ts';
import { plantExchange } from './exchange-phone.ts';

const pronunciationOf = (sound: string) => {
  const phones = sound.split(' ');
  return { phones, outputs: phones.map((phone) => outputOf(phone) ?? 0) };
};
const words: ExpectedWord[] = [
  { word: 'a', pauseAfter: 'none', pronunciations: [pronunciationOf('AH0')] },
  { word: 'sink', pauseAfter: 'none', pronunciations: [pronunciationOf('S IH1 NG K')] },
];
const alignment: Alignment = {
  insertions: [],
  words: words.map(({ pronunciations: [pronunciation = pronunciationOf('')] }, word) => ({
    word,
    pronunciation,
    phones: pronunciation.phones.map((phone, at) => ({
      phone,
      output: pronunciation.outputs[at] ?? 0,
      firstFrame: at,
      lastFrame: at,
    })),
  })),
};
const plantEach = (isWellSaid: (word: number) => boolean) =>
  Array.from({ length: 40 }, (_, draw) => plantExchange(words, alignment, { draw, isWellSaid }));

describe('a planted exchange', () => {
  it('changes one phone to one that learners confuse with it, keeping stress', () => {
    const sounds = plantEach(() => true).map((planted) => planted?.words[1]?.pronunciations[0]?.phones.join(' '));
    expect(new Set(sounds)).toContain('TH IH1 NG K');
    expect(new Set(sounds)).toContain('S IY1 NG K');
    expect(new Set(sounds)).not.toContain('S IH1 NG K');
  });

  it('names the phone and the word that it changed, and leaves the other words alone', () => {
    for (const planted of plantEach(() => true)) {
      const changed = planted?.words[1]?.pronunciations[0]?.phones ?? [];
      const differing = ['S', 'IH1', 'NG', 'K'].flatMap((phone, at) => (phone === changed[at] ? [] : [at]));
      expect(planted).toMatchObject({ word: 1, phone: differing[0] });
      expect(differing).toHaveLength(1);
      expect(planted?.words[0]).toBe(words[0]);
    }
  });

  it('is not made in a word that was said badly', () => {
    expect(plantEach((word) => word !== 1)).toEqual(Array.from({ length: 40 }, () => null));
  });
});
