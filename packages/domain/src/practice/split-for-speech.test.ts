import { describe, expect, it } from 'vitest';
import { splitForSpeech } from './split-for-speech.ts';

const splitComplete = (line: string) => splitForSpeech(line, { isComplete: true });
const splitPartial = (line: string) => splitForSpeech(line, { isComplete: false });

const LINES = [
  'Good morning, this is Grace. I was told that you have news about our order?',
  'Two weeks? That is hard for us. What happened, and what can you do about it?',
  'I see… Mr. Smith will be here at 5 p.m. and Dr. J. Brown, e.g. by train, at 3.30. Is that “soon enough?” I hope so!',
  'Oh no. How late will it be?',
  'What happened?',
  'Well, no. (It never was.) And you?',
  'Nothing ends this one',
  'So do I. And you?',
  '— … Hm. 😀',
];

describe('splitForSpeech', () => {
  it('splits into sentences, and the first one after its opening clause', () => {
    expect(LINES.slice(0, 5).map(splitComplete)).toEqual([
      ['Good morning,', 'this is Grace.', 'I was told that you have news about our order?'],
      ['Two weeks?', 'That is hard for us.', 'What happened, and what can you do about it?'],
      [
        'I see…',
        'Mr. Smith will be here at 5 p.m. and Dr. J. Brown, e.g. by train, at 3.30.',
        'Is that “soon enough?”',
        'I hope so!',
      ],
      ['Oh no.', 'How late will it be?'],
      ['What happened?'],
    ]);
  });

  it('loses and repeats no word', () => {
    for (const line of LINES.slice(0, 8)) expect(splitComplete(line).join(' ')).toBe(line);
  });

  it('returns nothing for text without words', () => {
    expect(splitComplete(' ')).toEqual([]);
    expect(splitComplete('… —')).toEqual([]);
    expect(splitComplete(LINES[8] ?? '')).toEqual(['— … Hm.']);
  });

  it('never changes earlier segments when the text grows', () => {
    for (const line of LINES) {
      const words = line.split(' ');
      for (let count = 0; count <= words.length; count += 1) {
        const known = splitPartial(words.slice(0, count).join(' '));
        expect(splitComplete(line).slice(0, known.length)).toEqual(known);
      }
    }
  });

  it('waits for the end only when no sentence has ended', () => {
    expect(splitPartial('Oh no.')).toEqual(['Oh no.']);
    expect(splitPartial('Good morning,')).toEqual(['Good morning,']);
    expect(splitPartial('Well,')).toEqual([]);
    expect(splitPartial('Nothing ends this one')).toEqual([]);
    expect(splitPartial('Ask Mr.')).toEqual([]);
    expect(splitPartial('So do I.')).toEqual(['So do I.']);
  });
});
