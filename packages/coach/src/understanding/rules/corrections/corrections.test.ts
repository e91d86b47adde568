import { describe, expect, it } from 'vitest';
import { findCorrection, isFarewell, isReminder, withoutReminder } from './corrections.ts';

describe('correction', () => {
  it.each([
    ['Sorry, I meant two, not three.', 'two', true],
    ['no i said twelve not twenty', 'twelve', true],
    ["I'm sorry, I meant Thursday", 'Thursday', true],
    ['No, no, I said the green one instead of the red one!', 'the green one', true],
    ['Wait, not six, I meant seven', 'seven', true],
    ['No wait, Thursday', 'Thursday', true],
    ['oh sorry i mean at nine', 'at nine', true],
    ['Actually, three nights.', 'three nights', true],
    ['No, not Tuesday, Wednesday.', 'Wednesday', false],
    ['Six, not sixteen.', 'Six', false],
    ['With V, not with B', 'with V', false],
  ])('“%s” corrects a detail to “%s”', (said, detail, isCertain) => {
    const found = findCorrection(said);
    expect(found).toEqual({ detail: expect.stringMatching(new RegExp(`^${detail}$`, 'i')), isCertain });
  });

  it.each([
    'I mean the blue one',
    'No, I mean it',
    'I said that I was ill',
    'Sorry, I meant to call you yesterday',
    'Not really, sorry',
    "No, I'm not sure",
    "Sorry, I'm not here on Monday",
    'Sorry, not today',
    'No, Thursday',
    'Sorry, on Friday',
    'Wait for me on Monday',
    'Actually I like it',
  ])('“%s” corrects nothing', (said) => expect(findCorrection(said)).toBeNull());
});

it.each(['I told you already', 'But I have already answered this question.', 'I did already said that'])(
  'reminds the coach of an answer: %s',
  (said) => expect(isReminder(said)).toBe(true),
);

it.each(['I told my boss', 'I said no', 'I have already sent it'])(
  'does not remind the coach of an answer: %s',
  (said) => expect(isReminder(said)).toBe(false),
);

it.each([
  ['As I said, just me.', 'just me.'],
  ["Like I told you, it's only me", "it's only me"],
  ['No, I already told you, two nights.', 'two nights.'],
  ["I've already told you that it's late", "it's late"],
  ['Just me, as I said.', 'Just me.'],
  ['I told you already.', 'I told you already.'],
  ['As I said before.', 'As I said before.'],
  ['As I said that I was ill, she left.', 'As I said that I was ill, she left.'],
])('“%s” answers as “%s” does', (said, answer) => expect(withoutReminder(said)).toBe(answer));

it.each([
  'Bye-bye',
  'Thanks a lot and goodbye',
  'See you next week!',
  'Take care',
  'Okay, good luck with it!',
  'It was a pleasure to meet you. Enjoy your trip!',
])('is a goodbye: %s', (said) => expect(isFarewell(said)).toBe(true));

it.each([
  'See you on Monday at nine',
  'Thank you',
  'Have a look at it',
  'Goodbye letters are sad',
  'Nice to meet you',
  'With a bit of luck we finish today',
])('is not a goodbye: %s', (said) => expect(isFarewell(said)).toBe(false));
