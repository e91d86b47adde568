import { PracticeId } from '@parley/domain';
import { expect, it } from 'vitest';
import { testId } from '../test-kit/test-catalogue.ts';
import { findPracticeWithSound } from './practice-with-sound.ts';
import { wordsWithSound } from './words-with-sound.ts';

const aCard = (number: number) => ({ practiceId: PracticeId.parse(testId(number)) });
const [DELAY, DOCTOR] = [aCard(1), aCard(2)];
const usefulWords = (practiceId: string): string[] =>
  practiceId === DOCTOR.practiceId ? ['a sore throat', 'three months'] : ['a month', 'delay'];
const find = (sound: string) => findPracticeWithSound(sound, [DELAY, DOCTOR], usefulWords);

it('finds the first practice with two words that have the sound', () => {
  expect(find('θ')).toEqual({ ...DOCTOR, words: ['throat', 'three'] });
  expect(find('ʒ')).toBeNull();
});

it('takes only words that contain the sound', () => {
  expect(wordsWithSound('θ', ['Thank them with thirty clothes', 'thank'])).toEqual(['thank', 'thirty']);
  expect(wordsWithSound('ŋ', ['a long strange engine'])).toEqual(['long']);
  expect(wordsWithSound('æ', ['a cat'])).toEqual([]);
});
