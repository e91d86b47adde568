/** Pronunciations that CMUdict, which is American, lacks. */
import { describe, expect, it } from 'vitest';
import { MODEL_DIR } from '../score/model-dir.ts';
import { loadDictionary } from './dictionary.ts';
import { pronounceText } from './pronounce.ts';

const dictionary = await loadDictionary(MODEL_DIR, { withCorpusWords: false });
const variantsOf = (word: string): string[] =>
  pronounceText(word, dictionary).flatMap(({ pronunciations }) => pronunciations.map(({ phones }) => phones.join(' ')));

describe('British pronunciation', () => {
  it.each([
    ['schedule', 'SH EH1 D Y UW0 L'],
    ['privacy', 'P R IH1 V AH0 S IY0'],
    ['been', 'B IY1 N'],
    ['clerks', 'K L AA1 R K S'],
    ['tasks', 'T AA1 S K S'],
    ['fastest', 'F AA1 S T AH0 S T'],
    ['banana', 'B AH0 N AA1 N AH0'],
    ['advantage', 'AE0 D V AA1 N T IH0 JH'],
    ["can't", 'K AA1 N T'],
    ['broadcasting', 'B R AO1 D K AA2 S T IH0 NG'],
    ['paragraph', 'P AE1 R AH0 G R AA2 F'],
    ['classes', 'K L AA1 S IH0 Z'],
    ['belfast', 'B EH1 L F AA2 S T'],
    ['apparently', 'AH0 P AE1 R AH0 N T L IY0'],
    ['embarrassed', 'IH0 M B AE1 R AH0 S T'],
    ['clarity', 'K L AE1 R AH0 T IY0'],
    ['portraits', 'P AO1 R T R EY2 T S'],
  ])('of “%s” counts beside the American one', (word, british) => {
    expect(variantsOf(word)[0]).not.toBe(british);
    expect(variantsOf(word)).toContain(british);
  });

  it.each(['passenger', 'classic', 'plan', 'passion', 'cash', 'psychopath', 'hand'])(
    'of “%s” has no broad “a”',
    (word) => expect(variantsOf(word).filter((phones) => phones.includes('AA'))).toEqual([]),
  );
});

describe('sound that connected or British speech changes', () => {
  it.each([
    ['pockets', 'P AA1 K IH0 T S'],
    ['biscuit', 'B IH1 S K IH0 T'],
    ['promises', 'P R AA1 M IH0 S IH0 Z'],
    ['business', 'B IH1 Z N IH0 S'],
    ['include', 'IH2 NG K L UW1 D'],
    ['internet', 'IH1 N T AH0 N EH2 T'],
    ['teachers', 'T IY1 CH AH0 Z'],
    ['houses', 'HH AW1 Z IH0 Z'],
    ['category', 'K AE1 T AH0 G AH0 R IY0'],
    ['have', 'HH AH0 V'],
    ['from', 'F R AA1 M'],
    ['actual', 'AE1 K CH AH0 L'],
    ['eventually', 'IH0 V EH1 N CH AH0 L IY0'],
    ['arrange', 'AH0 R EY1 N JH'],
    ['species', 'S P IY1 S IY0 Z'],
    ['width', 'W IH1 T TH'],
  ])('counts in “%s”', (word, phones) => {
    expect(variantsOf(word)[0]).not.toBe(phones);
    expect(variantsOf(word)).toContain(phones);
  });

  it.each([
    ['banana', 'IH0'],
    ['about', 'IH0'],
    ['garden', 'IH0 N'],
    ['possible', 'IH0 L'],
    ['bigger', 'NG'],
    ['enrage', 'NG'],
    ['bird', 'AH'],
    ['parents', 'AE'],
    ['rarity', 'AE'],
    ['early', 'AH'],
  ])('does not put other sounds into “%s”: %s', (word, other) => {
    expect(variantsOf(word).filter((phones) => phones.includes(other))).toEqual([]);
  });
});
