import { describe, expect, it } from 'vitest';
import { OUTPUTS, outputOf, withoutStress } from '../pronounce/phones.ts';
import type { AlignedWord } from './align.ts';
import { confusedDigits } from './digits.ts';

const output = (phone: string): number => outputOf(withoutStress(phone)) ?? 0;

const alignedWord = (text: string, word: number): AlignedWord => {
  const phones = text.split(' ');
  return {
    word,
    pronunciation: { phones, outputs: phones.map(output) },
    phones: phones.map((phone) => ({ output: output(phone), phone, firstFrame: 0, lastFrame: 0 })),
  };
};

/** Evidence of a network that is certain of these phones; the second word is the number. */
function confusedIn(said: string, texts: string[]): number[] {
  const frames = said.split(' ').flatMap((phone) => [0, 0, output(phone), output(phone)]);
  const logProbs = new Float32Array(frames.length * OUTPUTS).fill(Math.log(0.0001));
  frames.forEach((best, frame) => (logProbs[frame * OUTPUTS + best] = Math.log(0.99)));
  const order = { frames: frames.length, outputs: OUTPUTS, logProbs };
  return confusedDigits(texts.map(alignedWord), order, ({ word }) => word === 1);
}

const ROOM_FOUR_SEVEN = ['R UW1 M', 'F AO1 R S EH1 V AH0 N'];

describe('a digit of a number', () => {
  it.each([
    ['R UW1 M F AY1 V S EH1 V AH0 N', 3, 'said as another one'],
    ['R UW1 M F AO1 R N AY1 N', 6, 'said as another one'],
    ['R UW1 M F AO1 R', 6, 'left out'],
    ['R UW1 M F AO1 R S EH1 V AH0 N T IY0', 6, 'said with -ty'],
    ['R UW1 M F AO1 R T IY1 N S EH1 V AH0 N', 3, 'said with -teen'],
  ])('is found in “%s” at sound %i: %s', (said, at) => {
    const found = confusedIn(said, ROOM_FOUR_SEVEN);
    expect(found[at]).toBeGreaterThan(2.5);
    expect(Math.max(...found)).toBe(found[at]);
  });

  it('is found in a number in -teen or -ty', () => {
    const words = ['R UW1 M', 'F AO1 R S EH1 V N T IY1 N'];
    expect(confusedIn('R UW1 M F AO1 R S IH0 K S T IY1 N', words)[6]).toBeGreaterThan(2.5);
    expect(confusedIn('R UW1 M F AO1 R S EH1 V N T IY1 N', words).every((value) => value === 0)).toBe(true);
  });

  it('is found to lack a zero', () => {
    const words = ['R UW1 M', 'T UW1 Z IH1 R OW0 F AO1 R'];
    expect(confusedIn('R UW1 M T UW1 F AO1 R', words)[5]).toBeGreaterThan(2.5);
    expect(confusedIn(words.join(' '), words).every((value) => value === 0)).toBe(true);
  });

  it('may begin without its zero', () => {
    const words = ['R UW1 M', 'OW1 F AY1 V'];
    expect(confusedIn('R UW1 M F AY1 V', words).every((value) => value === 0)).toBe(true);
  });

  it('is not confused when it is said', () => {
    expect(confusedIn('R UW1 M F AO1 R S EH1 V AH0 N', ROOM_FOUR_SEVEN)).toEqual(Array.from({ length: 11 }, () => 0));
  });

  it('is not looked for in other words and in other numbers', () => {
    expect(confusedIn('F AO1 R T EH1 N', ['S IH1 K S', 'T EH1 N']).every((value) => value === 0)).toBe(true);
    expect(confusedIn('R UW1 M F AO1 R T IY0', ['R UW1 M', 'F AO1 R T IY0']).every((value) => value === 0)).toBe(true);
  });

  it('may be a hundred without a one', () => {
    const words = ['R UW1 M', 'W AH1 N HH AH1 N D R AH0 D'];
    expect(confusedIn('R UW1 M HH AH1 N D R AH0 D', words).every((value) => value === 0)).toBe(true);
  });
});
