import { describe, expect, it } from 'vitest';
import { OUTPUTS, outputOf } from '../pronounce/phones.ts';
import type { AlignedWord } from './align.ts';
import { endingLength, leftOutEndings, mayLackEnding } from './endings.ts';
import { exchangeLogRatios } from './exchanges.ts';

const output = (phone: string): number => outputOf(phone) ?? 0;

const alignedWord = (phones: string): AlignedWord => {
  const each = phones.split(' ');
  return {
    word: 0,
    pronunciation: { phones: each, outputs: each.map(output) },
    phones: each.map((phone) => ({ output: output(phone), phone, firstFrame: 0, lastFrame: 0 })),
  };
};

/** One phone a frame, nearly certain, with blanks between. */
function evidenceOf(said: string, words: readonly AlignedWord[]) {
  const frames = said.split(' ').flatMap((phone) => [0, output(phone)]);
  const logProbs = new Float32Array(frames.length * OUTPUTS).fill(Math.log(0.0001));
  frames.forEach((best, frame) => (logProbs[frame * OUTPUTS + best] = Math.log(0.99)));
  const order = { frames: frames.length, outputs: OUTPUTS, logProbs };
  const outputs = words.flatMap(({ phones }) => phones.map((phone) => phone.output));
  return { order, ratio: exchangeLogRatios(order, outputs) };
}

describe('the ending of a word', () => {
  it.each([
    ['W AO1 K S', 1],
    ['L AY1 K T', 1],
    ['W AA1 N T IH0 D', 2],
    ['CH EY1 N JH AH0 Z', 2],
    ['S IH1 T IY0 Z', 1],
    ['G OW1', 0],
    ['EY1', 0],
  ])('of “%s” has %i phones', (phones, length) => {
    expect(endingLength(alignedWord(phones).phones)).toBe(length);
  });

  it.each([
    ['SH IY1 W AO1 K HH OW1 M', 'SH IY1 W AO1 K S HH OW1 M', ['SH IY1', 'W AO1 K S', 'HH OW1 M'], 5],
    ['AY1 W AA1 N T IH1 T', 'AY1 W AA1 N T IH0 D IH1 T', ['AY1', 'W AA1 N T IH0 D', 'IH1 T'], 6],
  ])('is found to be missing in “%s” but not in “%s”', (without, whole, texts, at) => {
    const words = texts.map(alignedWord);
    expect(leftOutEndings(words, evidenceOf(without, words))[at]).toBeGreaterThan(4);
    expect(leftOutEndings(words, evidenceOf(whole, words))[at]).toBeLessThan(0);
  });

  it.each([
    ['walks', 'W AO1 K S', true, true],
    ['asked', 'AE1 S K T', true, true],
    ['house', 'HH AW1 S', true, false],
    ['boss', 'B AA1 S', true, false],
    ['just', 'JH AH1 S T', false, false],
  ])('of “%s” (%s) may be missed, in a sentence: %s, in a single word: %s', (word, sounds, inSentence, single) => {
    const { phones } = alignedWord(sounds);
    expect(mayLackEnding(word, phones, { isSingleWord: false })).toBe(inSentence);
    expect(mayLackEnding(word, phones, { isSingleWord: true })).toBe(single);
  });

  it('is not missed before a word that swallows it', () => {
    const words = ['L AY1 K S', 'S W IH1 M IH0 NG'].map(alignedWord);
    const leftOut = leftOutEndings(words, evidenceOf('L AY1 K S W IH1 M IH0 NG', words));
    expect(leftOut.slice(0, 4)).toEqual([-Infinity, -Infinity, -Infinity, -Infinity]);
  });
});
