import type { WordAssessment } from '@parley/domain';
import { describe, expect, it } from 'vitest';
import { markMiscues } from './mark-miscues.ts';

const spokenWords = (text: string): WordAssessment[] =>
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

/** Prefixes `-` to omitted and `+` to inserted words. */
const describeWords = (words: readonly WordAssessment[]): string =>
  words
    .map(({ word, error }) => (error === 'Omission' ? `-${word}` : error === 'Insertion' ? `+${word}` : word))
    .join(' ');

const CASES: [what: string, reference: string, heard: string, expected: string][] = [
  ['a complete reading', 'We call it bear.', 'we call it bear', 'we call it bear'],
  ['the first word omitted', 'We call it bear.', 'call it bear', '-We call it bear'],
  ['the last word omitted', 'We call it bear.', 'we call it', 'we call it -bear'],
  ['a middle word omitted', 'We call it bear.', 'we call bear', 'we call -it bear'],
  ['all words but one omitted', 'We call it bear.', 'it', '-We -call it -bear'],
  ['a word inserted', 'We call it bear.', 'we all call it bear', 'we +all call it bear'],
  ['an insertion before the first word', 'We call it bear.', 'um we call it bear', '+um we call it bear'],
  ['an insertion after the last word', 'We call it bear.', 'we call it bear okay', 'we call it bear +okay'],
  ['a word replaced', 'We call it bear.', 'we call him bear', 'we call -it +him bear'],
  ['the last word replaced', 'We call it bear.', 'we call it beer', 'we call it -bear +beer'],
  ['a false start', 'the cat sat', 'the the cat sat', '+the the cat sat'],
  ['a restarted phrase', 'I would like tea', 'i would i would like tea', '+i +would i would like tea'],
  ['a repeated word said once', 'that that is', 'that is', 'that -that is'],
  ['different words', 'We call it bear.', 'good morning', '-We -call -it -bear +good +morning'],
  ['no words', 'We call it bear.', '', '-We -call -it -bear'],
  ['case and punctuation', '“Well,” SAID Anna – quietly…', 'well said anna quietly', 'well said anna quietly'],
  ['a curly apostrophe', 'It’s Anna’s', "it's anna's", "it's anna's"],
  ['an apostrophe at the end', "the students' books", 'the students books', 'the students books'],
  ['a hyphen only in the text', 'a well-known man', 'a well known man', 'a well known man'],
  ['a hyphen only in the transcript', 'a well known man', 'a well-known man', 'a well-known man'],
  ['half of a hyphenated word', 'a well-known man', 'a known man', 'a -well known man'],
  ['a number read aloud', 'at 7:30 we eat', 'at seven thirty we eat', 'at seven thirty we eat'],
  ['a number transcribed as digits', 'room 21 please', 'room 21 please', 'room 21 please'],
  ['an omitted number', 'room 21 please', 'room please', 'room -21 please'],
  ['a number read aloud beside an omission', 'pay 20 dollars now', 'pay twenty now', 'pay -dollars twenty now'],
  ['accents', 'a café here', 'a café here', 'a café here'],
  ['an empty text', '…', 'good morning', '+good +morning'],
];

describe('marking omissions and insertions', () => {
  it.each(CASES)('handles %s', (_, reference, heard, expected) => {
    expect(describeWords(markMiscues(spokenWords(heard), reference))).toBe(expected);
  });

  it('places an omission where the word belongs, without duration or phonemes', () => {
    const [, , omitted] = markMiscues(spokenWords('we call bear'), 'We call it bear.');
    expect(omitted).toEqual({ word: 'it', startMs: 580, endMs: 580, accuracy: 0, error: 'Omission', phonemes: [] });
  });

  it('does not score an insertion', () => {
    const [, inserted] = markMiscues(spokenWords('we all call it bear'), 'We call it bear.');
    expect(inserted).toMatchObject({ word: 'all', startMs: 300, accuracy: null, phonemes: [] });
  });

  it('keeps a dash that was transcribed as a word', () => {
    expect(describeWords(markMiscues(spokenWords('we – call'), 'We call'))).toBe('we – call');
  });

  it('aligns five minutes of speech within seconds', () => {
    const text = Array.from({ length: 800 }, (_, index) => `word${index % 37}`).join(' ');
    const startedAt = performance.now();
    expect(markMiscues(spokenWords(text), text).every(({ error }) => error === 'None')).toBe(true);
    expect(performance.now() - startedAt).toBeLessThan(5_000);
  });
});
