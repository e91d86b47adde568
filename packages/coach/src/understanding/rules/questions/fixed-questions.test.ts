import { describe, expect, it } from 'vitest';
import {
  findFixedQuestion,
  HELP,
  OPINION,
  OTHER_LANGUAGE,
  OTHER_PERSON,
  subjectOfQuestionToCoach,
  TIME_TO_THINK,
  WHY_NOT,
} from './fixed-questions.ts';

describe('question that means the same in every scene', () => {
  it.each([
    ['Why not?', WHY_NOT],
    ["But why can't you?", WHY_NOT],
    ['And why is that not possible, please?', WHY_NOT],
    ['How do you see it?', OPINION],
    ['Hm, what would you do in my place?', OPINION],
    ["What's your opinion on that?", OPINION],
    ['Excuse me, could I speak to your manager, please?', OTHER_PERSON],
    ["I'd like to talk with the responsible person.", OTHER_PERSON],
    ['can i speak with somebody else', OTHER_PERSON],
    ['Is your boss there?', OTHER_PERSON],
    ['Do you speak Spanish?', OTHER_LANGUAGE],
    ['sorry can i say it in german please', OTHER_LANGUAGE],
    ['How do I say this in English?', HELP],
    ['One second, my phone is ringing.', TIME_TO_THINK],
    ['sorry just a moment somebody is at the door', TIME_TO_THINK],
  ])('%s', (said, expected) => {
    expect(findFixedQuestion(said)).toBe(expected);
  });

  it.each([
    'Why not Tuesday?',
    "Why don't we meet on Monday?",
    'What do you think about the hotel?',
    "I'll talk to the boss.",
    'Can I speak English with you?',
    'Can I talk to you?',
    'Do you speak English?',
    'Do they speak Spanish?',
    'One second is too long.',
    'How do you say it so fast?',
  ])('is another one: %s', (said) => {
    expect(findFixedQuestion(said)).toBeNull();
  });

  it.each([
    ['Are you a real person?', 'machine'],
    ['Am I talking to a computer?', 'machine'],
    ["Sorry, what's your name?", 'name'],
    ['Are you married?', 'person'],
  ])('asks what the coach is, or about its person: %s', (said, expected) => {
    expect(subjectOfQuestionToCoach(said)).toBe(expected);
  });
});
