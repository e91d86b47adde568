import { describe, expect, it } from 'vitest';
import { speakablePieces } from './speakable-pieces.ts';

const whole = (line: string) => speakablePieces(line, { isWhole: true });
const soFar = (line: string) => speakablePieces(line, { isWhole: false });

const LINES = [
  'Good morning, this is Grace. I was told that you have news about our order?',
  'Two weeks? That is hard for us. What happened, and what can you do about it?',
  'I see… Mr. Smith will be here at 5 p.m. and Dr. J. Brown, e.g. by train, at 3.30. Is that “soon enough?” I hope so!',
  'Oh no. How late will it be?',
  'What happened?',
  'Well, no. (It never was.) And you?',
  'Nothing ends this one',
  '— … Hm. 😀',
];

describe('the pieces in which a line is spoken', () => {
  it('are its sentences, and first its opening', () => {
    expect(LINES.slice(0, 5).map(whole)).toEqual([
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

  it('leave no word out and say none twice', () => {
    for (const line of LINES.slice(0, 7)) expect(whole(line).join(' ')).toBe(line);
  });

  it('are none where nothing can be said', () => {
    expect(whole(' ')).toEqual([]);
    expect(whole('… —')).toEqual([]);
    expect(whole(LINES[7] ?? '')).toEqual(['— … Hm.']);
  });

  it('never change when more of the line comes', () => {
    for (const line of LINES) {
      const words = line.split(' ');
      for (let count = 0; count <= words.length; count += 1) {
        const known = soFar(words.slice(0, count).join(' '));
        expect(whole(line).slice(0, known.length)).toEqual(known);
      }
    }
  });

  it('wait for the end of the line only where no sentence ends', () => {
    expect(soFar('Oh no.')).toEqual(['Oh no.']);
    expect(soFar('Good morning,')).toEqual(['Good morning,']);
    expect(soFar('Well,')).toEqual([]);
    expect(soFar('Nothing ends this one')).toEqual([]);
    expect(soFar('Ask Mr.')).toEqual([]);
  });
});
