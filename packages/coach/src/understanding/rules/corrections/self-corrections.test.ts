import { describe, expect, it } from 'vitest';
import { withoutSelfCorrections } from './self-corrections.ts';

describe('self-correction', () => {
  it.each([
    ["It's BA 245, sorry, BA 254.", "It's BA 254."],
    ['BA two four five, sorry, BA two five four', 'BA two five four'],
    ['on Monday, no wait, on Tuesday', 'on Tuesday'],
    ['On Monday. No, sorry, on Tuesday.', 'On Tuesday.'],
    ['it comes on monday no on tuesday', 'it comes on tuesday'],
    ['We can deliver on Monday, I mean Tuesday.', 'We can deliver on Tuesday.'],
    ['We can deliver by Monday, no, on Tuesday morning.', 'We can deliver on Tuesday morning.'],
    ['Two nights, sorry, three nights, please.', 'three nights, please.'],
    ["I'm staying two nights, no wait, three.", "I'm staying three nights."],
    ['Two, sorry, three nights', 'three nights'],
    ['at two o’clock, sorry, at three o’clock', 'at three o’clock'],
    ['My number is 555 1234, no sorry, 555 1235.', 'My number is 555 1235.'],
    ['ten percent, or rather fifteen percent', 'fifteen percent'],
    ['It costs two hundred and fifty, sorry, two hundred and sixty euros.', 'It costs two hundred and sixty euros.'],
    ['We are two days late, actually three days late.', 'We are three days late.'],
    ['The fifth of May, no, the sixth of May', 'the sixth of May'],
    ['On the 5th, sorry, the 6th', 'On the 6th'],
    ['We need two days, no, it will be three days.', 'We need three days.'],
    ['Monday, no, Tuesday, no, Wednesday', 'Wednesday'],
    ['My name is Anna Weber, sorry, Anna Becker.', 'My name is Anna Becker.'],
    ['one hundred, no, sorry, one hundred and fifty', 'one hundred and fifty'],
  ])('“%s” means “%s”', (said, meant) => expect(withoutSelfCorrections(said)).toBe(meant));

  it.each([
    "I can't come on Monday, sorry, Tuesday is better.",
    'It was planned for Monday, sorry, Tuesday is too late.',
    'No, sorry, two nights.',
    'On Monday or on Tuesday.',
    'On Monday, actually I am not sure.',
    'I have two boxes, sorry, three people are ill.',
    'Number two, no one told me.',
    'The driver came at two. Actually, Tuesday is fine.',
    'I work with Anna, sorry, with her team.',
    'Monday, not Tuesday.',
    'My name is Anna, sorry for being late.',
    'It is two, oh, I see.',
    "It's twenty, no more.",
  ])('“%s” corrects nothing', (said) => expect(withoutSelfCorrections(said)).toBe(said));

  it.each([
    ['Do I have to? Just kidding, sure.', 'sure.'],
    ["no way i'm joking of course", 'of course'],
    ['That is a lot, just kidding.', 'That is a lot, just kidding.'],
    ["I'm not joking, it is too late.", "I'm not joking, it is too late."],
    [
      'I wrote the tests. Tomorrow I sleep, just kidding! I have no problems.',
      'I wrote the tests. I have no problems.',
    ],
    ['He was just joking when he said four.', 'He was just joking when he said four.'],
    ['I was joking about the price, it is fifty.', 'I was joking about the price, it is fifty.'],
  ])('“%s” means “%s” without the joke', (said, meant) => expect(withoutSelfCorrections(said)).toBe(meant));

  it.each([
    ['There is a, how do you say, a manual in the shared folder.', 'There is a, a manual in the shared folder.'],
    ['We would be how do you say in English a loyal customer', 'We would be a loyal customer'],
    ['How do you say, fidelidad... we would be a loyal customer', 'fidelidad... we would be a loyal customer'],
    ['How do you say it in English?', 'How do you say it in English?'],
    ['I like your product, what is it called exactly?', 'I like your product, what is it called exactly?'],
    ['Sorry, how do you say towel in English?', 'Sorry, how do you say towel in English?'],
    ['Can you tell me how do you say this word?', 'Can you tell me how do you say this word?'],
  ])('“%s” means “%s” once the word is found', (said, meant) => expect(withoutSelfCorrections(said)).toBe(meant));

  it('takes no time for a long text without values', () => {
    const said = 'sorry, no, wait, I mean '.repeat(200);
    const started = performance.now();
    expect(withoutSelfCorrections(said)).toBe(said);
    expect(performance.now() - started).toBeLessThan(500);
  });
});
