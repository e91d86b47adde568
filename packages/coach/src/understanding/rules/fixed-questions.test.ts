import { describe, expect, it } from 'vitest';
import { findFixedQuestion, OPINION, OTHER_PERSON, subjectOfQuestionToCoach, WHY_NOT } from './fixed-questions.ts';

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
