import { describe, expect, it } from 'vitest';
import { answerAt } from '../../test-kit/scene-coaches.ts';
import { findApology } from './apology.ts';

describe('an apology', { timeout: 60_000 }, () => {
  it.each([
    'I am very sorry.',
    "I'm really sorry about that, it was my fault.",
    'we apologise for the delay',
    'The truck broke down. I am so sorry.',
    "I'm sorry for the trouble, but it will be four days",
  ])('is found: %s', (said) => expect(findApology(said)).not.toBeNull());

  it.each([
    'Sorry?',
    "I'm sorry. Could you repeat that?",
    "Sorry, I didn't hear you.",
    'I am sorry to hear that.',
    "I'm not sorry.",
    'I feel sorry for you.',
    'He is very sorry.',
    "I'm sorry, no.",
    'Are you really sorry about that?',
  ])('is not found: %s', (said) => expect(findApology(said)).toBeNull());

  it.each([
    ['Explain a delay to a client', 'how-late', 'i am very sorry', 'apologise'],
    ['Own up to a mistake', 'effect', "I'm really sorry about that, it was my fault.", 'sorry'],
  ])('counts whatever the coach has asked: %s, %s', (title, node, said, objective) =>
    expect(answerAt(title, node, said).objectives).toContain(objective),
  );

  it('meets no objective that is about something else', () => {
    const said = 'I am very sorry about that.';
    expect(answerAt('Handle a complaint', 'next', said).objectives).not.toContain('solution');
    expect(answerAt('Say no to a request', 'busy', said).objectives).toEqual([]);
  });
});
