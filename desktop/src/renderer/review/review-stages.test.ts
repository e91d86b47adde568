import type { Assessment, WordAssessment } from '@parley/domain';
import { describe, expect, it } from 'vitest';
import { reviewedWord, stagesOf } from './review-stages.ts';

/** The scorer's result for words with these accuracies; null for an omitted word. */
const anAssessmentOf = (...words: [word: string, accuracy: number | null, error?: WordAssessment['error']][]) =>
  ({
    words: words.map(([word, accuracy, error = accuracy === null ? 'Omission' : 'None'], index) => ({
      word,
      accuracy,
      error,
      startMs: index * 100,
      endMs: index * 100 + 80,
      phonemes: [{ phoneme: 'l', startMs: index * 100, endMs: index * 100 + 80, accuracy }],
    })),
  }) as unknown as Assessment;

describe('a card', () => {
  it('asks for the word, its phrase and its sentence', () => {
    const sentence = 'Thank you for calling, is there anything I can do to help?';
    expect(stagesOf({ word: 'anything', sentence })).toEqual([
      { name: 'word', text: 'anything' },
      { name: 'phrase', text: 'is there anything I can' },
      { name: 'sentence', text: sentence },
    ]);
  });

  it('asks only for what there is', () => {
    expect(stagesOf({ word: 'delay', sentence: null })).toHaveLength(1);
    expect(stagesOf({ word: 'delay', sentence: 'Delay.' })).toHaveLength(1);
    expect(stagesOf({ word: 'delay', sentence: 'A delay.' }).map(({ name }) => name)).toEqual(['word', 'sentence']);
  });

  it.each([
    ['known', 'She is a well-known writer here now.', 'is a well-known writer here'],
    ['well-known', 'She is a well-known writer here now.', 'is a well-known writer here'],
    ['make up', 'Did you make up the story yourself, then?', 'Did you make up the story'],
    ['or', 'Take tea and/or milk with you.', 'Take tea and/or milk with'],
    ["don't", 'We donʼt know it, do we?', 'We donʼt know it,'],
  ])('finds the phrase around %s', (word, sentence, phrase) => {
    expect(stagesOf({ word, sentence })).toEqual([
      { name: 'word', text: word },
      { name: 'phrase', text: phrase },
      { name: 'sentence', text: sentence },
    ]);
  });
});

describe('the reviewed word', () => {
  it.each([
    ['well-known', anAssessmentOf(['well', 90], ['known', 40])],
    ['make up', anAssessmentOf(['make', 40], ['up', 95])],
    ['and/or', anAssessmentOf(['and', 90], ['…', null, 'Insertion'], ['or', 40])],
    ['e-mail', anAssessmentOf(['My', 99], ['e', 40], ['mail', 60], ['address', 20])],
    ['wi-fi', anAssessmentOf(['Wi-Fi', 40])],
    ['donʼt', anAssessmentOf(["don't", 40])],
    ['don‘t', anAssessmentOf(["don't", 40])],
  ])('has the accuracy of the weakest part of %s', (word, assessment) => {
    expect(reviewedWord(word, assessment)).toMatchObject({ accuracy: 40 });
  });

  it('spans all its parts', () => {
    const word = reviewedWord('well-known', anAssessmentOf(['A', 90], ['well', 80], ['known', 70], ['man', 10]));
    expect(word).toMatchObject({ word: 'well known', startMs: 100, endMs: 280, accuracy: 70 });
    expect(word?.phonemes).toHaveLength(2);
  });

  it('was not said when a part of it was not', () => {
    expect(reviewedWord('well-known', anAssessmentOf(['well', 90], ['known', null]))).toBeUndefined();
    expect(reviewedWord('well-known', anAssessmentOf(['well', 90], ['then', 80], ['known', 90]))).toBeUndefined();
    expect(reviewedWord('known', anAssessmentOf(['known', null], ['known', 60]))).toMatchObject({ accuracy: 60 });
  });
});
