import type { WordAssessment } from '@parley/domain';
import { describe, expect, it } from 'vitest';
import { withMiscues } from './miscue.ts';

const heardWords = (text: string): WordAssessment[] =>
  text
    .split(' ')
    .filter((word) => word !== '')
    .map((word, index) => ({
      word,
      startMs: index * 300,
      endMs: index * 300 + 280,
      accuracy: 90,
      error: 'None',
      phonemes: [{ phoneme: 'ə', startMs: index * 300, endMs: index * 300 + 280, accuracy: 90 }],
    }));

/** `-word` was left out, `+word` put in. */
const told = (words: readonly WordAssessment[]): string =>
  words
    .map(({ word, error }) => (error === 'Omission' ? `-${word}` : error === 'Insertion' ? `+${word}` : word))
    .join(' ');

const CASES: [what: string, reference: string, heard: string, expected: string][] = [
  ['all of it', 'We call it bear.', 'we call it bear', 'we call it bear'],
  ['the first word left out', 'We call it bear.', 'call it bear', '-We call it bear'],
  ['the last word left out', 'We call it bear.', 'we call it', 'we call it -bear'],
  ['a word in the middle left out', 'We call it bear.', 'we call bear', 'we call -it bear'],
  ['everything left out but one', 'We call it bear.', 'it', '-We -call it -bear'],
  ['a word put in', 'We call it bear.', 'we all call it bear', 'we +all call it bear'],
  ['put in before the first', 'We call it bear.', 'um we call it bear', '+um we call it bear'],
  ['put in behind the last', 'We call it bear.', 'we call it bear okay', 'we call it bear +okay'],
  ['a word replaced', 'We call it bear.', 'we call him bear', 'we call -it +him bear'],
  ['the last word replaced', 'We call it bear.', 'we call it beer', 'we call it -bear +beer'],
  ['a false start', 'the cat sat', 'the the cat sat', '+the the cat sat'],
  ['a phrase begun anew', 'I would like tea', 'i would i would like tea', '+i +would i would like tea'],
  ['a word twice in the text, once heard', 'that that is', 'that is', 'that -that is'],
  ['nothing of it', 'We call it bear.', 'good morning', '-We -call -it -bear +good +morning'],
  ['nothing at all', 'We call it bear.', '', '-We -call -it -bear'],
  ['case and punctuation', '“Well,” SAID Anna – quietly…', 'well said anna quietly', 'well said anna quietly'],
  ['a curly apostrophe', 'It’s Anna’s', "it's anna's", "it's anna's"],
  ['an apostrophe at the end', "the students' books", 'the students books', 'the students books'],
  ['a hyphen in the text only', 'a well-known man', 'a well known man', 'a well known man'],
  ['a hyphen in what was heard only', 'a well known man', 'a well-known man', 'a well-known man'],
  ['half of a hyphenated word', 'a well-known man', 'a known man', 'a -well known man'],
  ['a figure read out', 'at 7:30 we eat', 'at seven thirty we eat', 'at seven thirty we eat'],
  ['a figure written as it was heard', 'room 21 please', 'room 21 please', 'room 21 please'],
  ['a figure left out', 'room 21 please', 'room please', 'room -21 please'],
  ['a figure read out, its neighbour left out', 'pay 20 dollars now', 'pay twenty now', 'pay -dollars twenty now'],
  ['accents', 'a café here', 'a café here', 'a café here'],
  ['an empty text', '…', 'good morning', '+good +morning'],
];

describe('what was left out of a text and what was put in', () => {
  it.each(CASES)('%s', (_, reference, heard, expected) => {
    expect(told(withMiscues(heardWords(heard), reference))).toBe(expected);
  });

  it('puts a word that was left out where it should have been, with no time and no score of its own', () => {
    const [, , omitted] = withMiscues(heardWords('we call bear'), 'We call it bear.');
    expect(omitted).toEqual({ word: 'it', startMs: 580, endMs: 580, accuracy: 0, error: 'Omission', phonemes: [] });
  });

  it('does not score a word that was put in', () => {
    const [, inserted] = withMiscues(heardWords('we all call it bear'), 'We call it bear.');
    expect(inserted).toMatchObject({ word: 'all', startMs: 300, accuracy: null, phonemes: [] });
  });

  it('keeps a dash that was told as a word', () => {
    expect(told(withMiscues(heardWords('we – call'), 'We call'))).toBe('we – call');
  });

  it('holds five minutes of speech against a text in no time', () => {
    const text = Array.from({ length: 800 }, (_, index) => `word${index % 37}`).join(' ');
    const startedAt = performance.now();
    expect(withMiscues(heardWords(text), text).every(({ error }) => error === 'None')).toBe(true);
    expect(performance.now() - startedAt).toBeLessThan(1_000);
  });
});
