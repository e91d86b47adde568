import { describe, expect, it } from 'vitest';
import { coachReply } from './coach-reply.ts';
import { keyWords, echoClause } from './echo-learner.ts';
import { readPromptFacts } from './prompt-facts.ts';

const instructions = 'You are Marta Nowak, a landlady.';
const lineTo = (...said: string[]): string =>
  coachReply(readPromptFacts({ instructions, messages: said.map((text) => ({ role: 'user', text })) })).text;

describe('the default reply', () => {
  it.each([
    [[], "Hello, I'm Marta Nowak."],
    [['Begin.'], "Hello, I'm Marta Nowak."],
    [['Hello!'], 'Hello, nice to meet you!'],
    [['Hello, I have a reservation for two nights.'], 'So you have a reservation for two nights.'],
    [['Rooms'], '“Rooms”, I see. Could you say that in a whole sentence?'],
    [['I am looking for a quiet apartment.'], 'So you are looking for a quiet apartment.'],
    [['I was late, and my boss saw me.'], 'your boss saw you'],
    [['The delivery will be two days late.'], '“two days late”'],
    [['I am sorry, I had a problem.'], "Don't worry"],
    [['How much is it?'], 'Good question.'],
    [['Do you have a late check-out?'], '“late check-out”'],
    [['I went to the market because I needed bread.'], 'That is a good reason.'],
    [['Could you repeat that, please?'], 'more simply'],
    [['Thank you very much for it.', 'Goodbye then.'], 'It was good to talk with you.'],
  ])('to %j is short and repeats a part of it', (said, expected) => {
    const line = lineTo(...said);
    expect(line).toContain(expected);
    expect(line.length).toBeLessThan(120);
    expect(line.match(/\?/g) ?? []).toHaveLength(line.includes('goodbye') ? 0 : 1);
  });

  it('does not repeat a question', () => {
    const castle = 'I visited an old castle.';
    const lines = [1, 2, 3, 4, 5].map((times) => lineTo(...Array.from({ length: times }, () => castle)));
    expect(new Set(lines).size).toBe(5);
  });
});

describe('repeating the learner', () => {
  it.each([
    ['I want to move because it is loud', 'you want to move'],
    ['We need our order, and you know it', 'you need your order'],
    ['I am calling about your order', 'you are calling about my order'],
    ['I can write it down for you', 'you can write it down for me'],
    ['I think you are right', null],
    ['Yes', null],
    [`I ${'really '.repeat(20)}like it`, null],
  ])('of “%s” turns a clause round', (said, clause) => expect(echoClause(said)).toBe(clause));

  it.each([
    ['It is about the broken coffee machine', 'broken coffee machine'],
    ['It is what it is', null],
    ['', null],
  ])('of “%s” otherwise quotes content words', (said, words) => expect(keyWords(said)).toBe(words));
});
