import { describe, expect, it } from 'vitest';
import { splitUnmarked } from './unmarked-clauses.ts';

describe('a sentence without punctuation', () => {
  it.each([
    ['is it loud i want a quiet room', ['is it loud', 'i want a quiet room']],
    ['two nights where can i park my car', ['two nights', 'where can i park my car']],
    ['im a nurse how many rooms has the flat', ['im a nurse', 'how many rooms has the flat']],
    ['on the first of march is there a lift', ['on the first of march', 'is there a lift']],
    ['yes three times a day can i drink alcohol', ['yes three times a day', 'can i drink alcohol']],
    ['i work in accounting where do you work', ['i work in accounting', 'where do you work']],
    [
      'it did not arrive on flight ba 117 its a red samsonite',
      ['it did not arrive on flight ba 117', 'its a red samsonite'],
    ],
    ['i have a headache since monday i take no medicine', ['i have a headache since monday', 'i take no medicine']],
    [
      'this is anna i need a passport my number is five five two',
      ['this is anna', 'i need a passport', 'my number is five five two'],
    ],
  ])('is split where a clause begins: %s', (said, clauses) => {
    expect(splitUnmarked(said)).toEqual(clauses);
  });

  it.each([
    'i dont know where it is',
    'that is all i can do for you',
    'i think i can come on tuesday',
    'as soon as i can i will',
    'i will tell you when i have it',
    'the problem is there is no time left',
    'so can i and my brother',
    'tell me how can i help you',
    'the file i need for the meeting',
    'Two nights, and can I park here?',
  ])('stays whole where none begins: %s', (said) => {
    expect(splitUnmarked(said)).toEqual([said]);
  });

  it('may be as long as five minutes of speech', () => {
    const said = 'three nights where can i park my car '.repeat(140).trim();
    expect(splitUnmarked(said)).toHaveLength(141);
  });
});
