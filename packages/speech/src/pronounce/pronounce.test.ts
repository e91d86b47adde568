import { describe, expect, it } from 'vitest';
import { loadDictionary } from './dictionary.ts';
import { letterToSound } from './letter-to-sound.ts';
import { MODEL_DIR } from '../score/model-dir.ts';
import { pronounceText } from './pronounce.ts';
import { spokenForm, wordEnds } from './spoken-form.ts';

const dictionary = await loadDictionary(MODEL_DIR, { withCorpusWords: false });
const said = (text: string): string =>
  spokenForm(text)
    .flatMap(({ spoken }) => spoken)
    .join(' ');

describe('spoken form', () => {
  it.each([
    ['It costs $1,250.50.', 'it costs one thousand two hundred fifty dollars fifty cents'],
    ['£1 or €3m', 'one pound or three million euros'],
    ['at 9:05 or 14:30', 'at nine oh five or fourteen thirty'],
    ['10am', 'ten a m'],
    ['at 7:00 pm, 7:00 p.m. or 7:00', "at seven pm seven p m or seven o'clock"],
    ['in the 1990s, the 80s or the 1900s', 'in the nineteen nineties the eighties or the nineteen hundreds'],
    ['$2.5 million, £3 billion', 'two point five million dollars three billion pounds'],
    ['$2.50 or a million', 'two dollars fifty cents or a million'],
    ['call 555-1234 or +49-30-12', 'call five five five one two three four or four nine three zero one two'],
    ['10-15 people, 2019-2021', 'ten to fifteen people twenty nineteen to twenty twenty one'],
    ['50-100 people, 200-300 days', 'fifty to one hundred people two hundred to three hundred days'],
    ['we won 3-1 on 12-05-2024', 'we won three one on twelve five two thousand twenty four'],
    ['1000s of people in their 30s', 'thousands of people in their thirties'],
    ['a 30s wait, after 45s', 'a thirty second wait after forty five seconds'],
    ['1-800-555-0199', 'one eight zero zero five five five zero one nine nine'],
    ['in 1984, 2005 and 2026', 'in nineteen eighty four two thousand five and twenty twenty six'],
    ['the 21st, the 12th', 'the twenty first the twelfth'],
    ['0.5% of 1,000,000', 'zero point five percent of one million'],
    ['-3 degrees', 'minus three degrees'],
    ['call 007', 'call zero zero seven'],
    ["don't, I’ll, o'clock", "don't i'll o'clock"],
    ['a well-known follow-up', 'a well known follow up'],
    ['Dr. Smith & Mrs. Jones', 'doctor smith and missus jones'],
    ['the U.S. team, asap', 'the u s team a s a p'],
    ['naïve café', 'naive cafe'],
    ['R2D2', 'r two d two'],
    ['…?! — "quoted"', 'quoted'],
    ['', ''],
    ['你好', '你好'],
  ])('%s', (written, expected) => {
    expect(said(written)).toBe(expected);
  });

  it('marks where a voice should pause, may pause or continues', () => {
    const text = 'Well, Dr. Lee said "no" at 9 a.m. — then left. Why?';
    expect(spokenForm(text).map(({ written, pauseAfter }) => `${written} ${pauseAfter}`)).toEqual([
      'Well may',
      'Dr may',
      'Lee none',
      'said none',
      'no may',
      'at none',
      '9 none',
      'a.m may',
      'then none',
      'left should',
      'Why should',
    ]);
  });

  it('finds the end offset of each word', () => {
    const text = 'Pay $5 now, follow-up later!';
    expect(wordEnds(text).map((end, index, all) => text.slice(all[index - 1] ?? 0, end))).toEqual([
      'Pay',
      ' $5',
      ' now',
      ', follow',
      '-up',
      ' later!',
    ]);
  });

  it('finds the end of words with any apostrophe', () => {
    expect(wordEnds('I’m sure it’s late')).toEqual([3, 8, 13, 18]);
  });

  it('reads every apostrophe alike', () => {
    for (const mark of ["'", '’', '‘', 'ʼ', '`', '´']) expect(said(`don${mark}t`)).toBe("don't");
  });

  it('keeps the written form of each word', () => {
    expect(spokenForm('Pay $5 now!').map(({ written }) => written)).toEqual(['Pay', '$5', 'now']);
  });
});

describe('pronunciation', () => {
  const phonesOf = (text: string): string[] =>
    pronounceText(text, dictionary).map(({ pronunciations }) => pronunciations[0]?.phones.join(' ') ?? '?');

  it('comes from the dictionary with all variants', () => {
    expect(phonesOf('think')).toEqual(['TH IH1 NG K']);
    const [read] = pronounceText('read', dictionary);
    expect(read?.pronunciations.map(({ phones }) => phones.join(' '))).toEqual(
      expect.arrayContaining(['R EH1 D', 'R IY1 D']),
    );
  });

  it.each([
    ["Parley's", /Z$/],
    ["Mirek's", /S$/],
    ['xylofonic', /^Z /],
    ['brillable', /^B R .* AH0 B AH0 L$/],
    ['phlosh', /^F L AA1 SH$/],
  ])('of the unknown word %s is guessed from its spelling', (word, expected) => {
    expect(phonesOf(word)[0]).toMatch(expected);
  });

  it('spells words without vowels, and skips text that is not English', () => {
    expect(phonesOf('qrt')).toEqual(['K Y UW1 AA1 R T IY1']);
    const [word] = pronounceText('你好', dictionary);
    expect(word).toEqual({ word: '你好', pronunciations: [], pauseAfter: 'none' });
  });

  it('terminates for any spelling', () => {
    for (const word of ['', 'q', 'aaaa', 'zzzz', 'rhythm', 'a'.repeat(50), "'", 'éé']) {
      const phones = letterToSound(word);
      expect(phones === null || phones.every((phone) => /^[A-Z]{1,2}\d?$/.test(phone))).toBe(true);
    }
  });

  it('ignores properties of Object.prototype', () => {
    expect(phonesOf('constructor')[0]).toMatch(/^K AH0 N/);
    expect(dictionary('toString')).toEqual([]);
  });
});
