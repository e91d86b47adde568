import type { WordAssessment } from '@parley/domain';
import { describe, expect, it } from 'vitest';
import { markedWords, occurrenceAt, wordsOfSentence } from './words-of-sentence.ts';

/** Each word takes 300 ms and is followed by 100 ms of silence. */
const said = (text: string): WordAssessment[] =>
  text.split(' ').map((word, at) => ({
    word,
    startMs: at * 400,
    endMs: at * 400 + 300,
    accuracy: 90,
    error: 'None',
    phonemes: [],
  }));
const startsOf = (words: readonly WordAssessment[] | null) => words?.map(({ startMs }) => startMs);

describe('the words of a sentence', () => {
  const words = said('I am sorry Is there anything else I am sorry');

  it('are those of its place in the answer', () => {
    expect(startsOf(wordsOfSentence(words, 'Is there anything else?', 2_000))).toEqual([1_200, 1_600, 2_000, 2_400]);
    expect(startsOf(wordsOfSentence(words, 'I am sorry.', 3_300))).toEqual([2_800, 3_200, 3_600]);
    expect(startsOf(wordsOfSentence(words, 'I am sorry.', 100))).toEqual([0, 400, 800]);
  });

  it('leave out inserted words, and are null when the sentence was not said', () => {
    const added = said('uh').map((word) => ({ ...word, startMs: 1_900, endMs: 1_950, error: 'Insertion' as const }));
    const withAdded = [...words.slice(0, 5), ...added, ...words.slice(5)];
    expect(wordsOfSentence(withAdded, 'Is there anything else?', 2_000)).toHaveLength(4);
    expect(wordsOfSentence(words, 'Is there nothing else?', 2_000)).toBeNull();
  });
});

describe('the marked word', () => {
  const words = said('the more we wait the more we pay');

  it('is the one at the place of the feedback', () => {
    expect(startsOf(markedWords(words, 'more', 2_050))).toEqual([2_000]);
    expect(startsOf(markedWords(words, 'more', 450))).toEqual([400]);
  });

  it('is not another one when none is at that place', () => {
    expect(markedWords(words, 'more', 5_000)).toEqual([]);
    expect(wordsOfSentence(said('I see I see'), 'I see.', 5_000)).toBeNull();
    expect(startsOf(markedWords(words, 'pay', 5_000))).toEqual([2_800]);
  });

  it('is counted among the same words of its sentence', () => {
    expect(occurrenceAt(words, 'more', 450)).toBe(0);
    expect(occurrenceAt(words, 'more', 2_050)).toBe(1);
    expect(occurrenceAt(words, 'more', 5_000)).toBeNull();
  });

  it('may be written as several words, and may be missing', () => {
    expect(startsOf(markedWords(said('a well known man'), 'well-known', 500))).toEqual([400, 800]);
    expect(markedWords(words, 'less', 0)).toEqual([]);
  });
});
