import { describe, expect, it } from 'vitest';
import { OUTPUTS, outputOf, withoutStress } from '../pronounce/phones.ts';
import type { AlignedWord } from './align.ts';
import { exchangeLogRatios } from './exchanges.ts';
import { confusedTeens, isTeenOrTen } from './teens.ts';

const output = (phone: string): number => outputOf(withoutStress(phone)) ?? 0;

const alignedWord = (text: string): AlignedWord => {
  const phones = text.split(' ');
  return {
    word: 0,
    pronunciation: { phones, outputs: phones.map(output) },
    phones: phones.map((phone) => ({ output: output(phone), phone, firstFrame: 0, lastFrame: 0 })),
  };
};

/** Evidence of a network that is certain of these phones. */
function confusedIn(said: string, texts: string[]): number[] {
  const words = texts.map(alignedWord);
  const frames = said.split(' ').flatMap((phone) => [0, output(phone)]);
  const logProbs = new Float32Array(frames.length * OUTPUTS).fill(Math.log(0.0001));
  frames.forEach((best, frame) => (logProbs[frame * OUTPUTS + best] = Math.log(0.99)));
  const order = { frames: frames.length, outputs: OUTPUTS, logProbs };
  const outputs = words.flatMap(({ phones }) => phones.map((phone) => phone.output));
  return confusedTeens(words, { order, ratio: exchangeLogRatios(order, outputs) });
}

const FOURTEEN_DAYS = 'F AO1 R T IY1 N D EY1 Z';
const FORTY_DAYS = 'F AO1 R T IY0 D EY1 Z';
const FOUR_SEVENTEEN = 'F AO1 R S EH1 V N T IY1 N AO1 N';
const FOUR_SEVENTY = 'F AO1 R S EH1 V N T IY0 AO1 N';

describe('a number in -teen or -ty', () => {
  it.each([
    [FORTY_DAYS, FOURTEEN_DAYS, ['F AO1 R T IY1 N', 'D EY1 Z'], 5],
    [FOURTEEN_DAYS, FORTY_DAYS, ['F AO1 R T IY0', 'D EY1 Z'], 4],
    [FOUR_SEVENTY, FOUR_SEVENTEEN, ['F AO1 R S EH1 V N T IY1 N', 'AO1 N'], 9],
    ['TH ER1 T IY1 N TH D EY1', 'TH ER1 T IY0 AH0 TH D EY1', ['TH ER1 T IY0 AH0 TH', 'D EY1'], 4],
    ['F IH1 F T IY1 N N AY1 T', 'F IH1 F T IY0 N AY1 T', ['F IH1 F T IY0', 'N AY1 T'], 4],
  ])('is confused in “%s” but not in “%s”', (wrong, right, words, at) => {
    const found = confusedIn(wrong, words);
    expect(found[at]).toBeGreaterThan(2.5);
    expect(found.filter((value) => value > 0)).toHaveLength(1);
    expect(confusedIn(right, words).every((value) => value === 0)).toBe(true);
  });

  it('is not judged by an “n” that the next word shares', () => {
    expect(confusedIn('F IH1 F T IY0 N AY1 T', ['F IH1 F T IY1 N', 'N AY1 T'])).toEqual(
      Array.from({ length: 9 }, () => 0),
    );
  });

  it('has no ending to confuse in “forty-nine”', () => {
    expect(confusedIn('F AO1 R T IY0 N AY1 N', ['F AO1 R T IY0 N AY1 N'])).toEqual(Array.from({ length: 8 }, () => 0));
  });

  it.each([
    ['thirty', true],
    ['Fourteenth', true],
    ['£2.50', true],
    ['nineties', true],
    ['meaty', false],
    ['Katie', false],
  ])('is recognised in writing: %s, %s', (written, isNumber) => {
    expect(isTeenOrTen(written)).toBe(isNumber);
  });
});
