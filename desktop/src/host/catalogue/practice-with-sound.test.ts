import { PracticeId } from '@parley/domain';
import { expect, it } from 'vitest';
import { testId } from '../test-kit/test-catalogue.ts';
import { findPracticeWithSound } from './practice-with-sound.ts';
import { wordsWithSound } from './words-with-sound.ts';

const aCard = (number: number) => ({ practiceId: PracticeId.parse(testId(number)) });
const [DELAY, DOCTOR, TRAVEL] = [aCard(1), aCard(2), aCard(3)];
const TEXTS = new Map([
  [DELAY.practiceId, ['a month', 'I think so.']],
  [DOCTOR.practiceId, ['a sore throat', 'For three months.']],
  [TRAVEL.practiceId, ['The theatre is south of the path.']],
]);
const find = (sound: string, cards = [DELAY, DOCTOR, TRAVEL]) =>
  findPracticeWithSound(sound, cards, (practiceId) => TEXTS.get(practiceId) ?? []);

it('finds the first practice with the most words that have the sound', () => {
  expect(find('θ')).toEqual({ ...DOCTOR, words: ['throat', 'three'] });
  expect(find('θ', [TRAVEL, DOCTOR])).toEqual({ ...TRAVEL, words: ['theatre', 'south'] });
});

it('finds none for a sound that the spelling does not show, or that comes up once', () => {
  expect(find('ʒ')).toBeNull();
  expect(find('v')).toBeNull();
  expect(find('ʃ', [])).toBeNull();
});

it('takes only words that contain the sound, without names and short forms', () => {
  expect(wordsWithSound('θ', ['Thank them with thirty clothes', 'we thank Beth'])).toEqual(['thirty', 'thank']);
  expect(wordsWithSound('w', ['it wasn’t the winter'])).toEqual(['winter']);
  expect(wordsWithSound('ŋ', ['a long strange engine'])).toEqual(['long']);
  expect(wordsWithSound('æ', ['a cat'])).toEqual([]);
});
