import { describe, expect, it } from 'vitest';
import { answersHowAreYou, splitAddedQuestion, splitLeadingQuestion } from './added-question.ts';

describe('question after an answer', () => {
  it.each([
    ['We are two days late. Is that okay?', 'We are two days late.', 'approval'],
    ['On Tuesday. Does that work for you?', 'On Tuesday.', 'approval'],
    ['we are two days late is that okay', 'we are two days late', 'approval'],
    ["I'm fine. And you?", "I'm fine.", 'returned'],
    ['Fine, thanks, and you?', 'Fine, thanks', 'returned'],
    ['It was good, thanks. How was yours?', 'It was good, thanks.', 'returned'],
    ['To the workshop at two. And you, where are you going?', 'To the workshop at two.', 'returned'],
    ['two nights where can i park my car', 'two nights', 'other'],
    ['Two nights. How much does it cost?', 'Two nights.', 'other'],
    ['In June, but can I bring my cat?', 'In June', 'other'],
    ["I'm busy, but what's up?", "I'm busy", 'other'],
    ["I'd like a quiet room. Could you help me with my bag?", "I'd like a quiet room.", 'request'],
  ])('“%s” is “%s” and a question (%s)', (said, answer, kind) => {
    expect(splitAddedQuestion(said)).toMatchObject({ answer, kind });
  });

  it.each([
    'Is that okay?',
    'And you?',
    'Two nights.',
    'Sorry? Two nights?',
    'Can we meet on Tuesday?',
    'I can come on Monday. What about Tuesday?',
    'What is that? And how much is it?',
    'The stairs and how many are they?',
  ])('“%s” adds none', (said) => expect(splitAddedQuestion(said)).toBeNull());

  it('may come before the answer', () => {
    for (const said of ['is it loud i want a quiet room', 'Is it loud? I want a quiet room.'])
      expect(splitLeadingQuestion(said)).toMatchObject({ kind: 'other', answer: expect.stringMatching(/^i want/i) });
    expect(splitLeadingQuestion('I want a quiet room')).toBeNull();
    expect(splitLeadingQuestion('Is it loud? Is it dark?')).toBeNull();
  });

  it('may follow how the learner is', () => {
    expect(answersHowAreYou("I'm fine, thanks")).toBe(true);
    expect(answersHowAreYou('Two nights')).toBe(false);
  });
});
