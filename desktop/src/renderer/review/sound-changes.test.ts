import { describe, expect, it } from 'vitest';
import { accuraciesBefore, markWeakSounds } from './sound-changes.ts';

const sounds = (...all: [string, number | null][]) => all.map(([phoneme, accuracy]) => ({ phoneme, accuracy }));
const CHEAT = sounds(['tʃ', 90], ['i', 80], ['t', 30]);

describe('the sounds of a word', () => {
  it('are compared with the same ones before', () => {
    const before = sounds(['n', 20], ['aɪ', 60], ['n', 70], ['θ', null]);
    const now = ['n', 'aɪ', 'n', 'θ', 'n', 's'].map((phoneme) => ({ phoneme }));
    expect(accuraciesBefore(now, before)).toEqual([20, 60, 70, null, null, null]);
  });

  it('are marked where they were weak, and not in another sound with the same sign', () => {
    expect(markWeakSounds('tʃit', CHEAT, 't')).toEqual([
      { text: 'tʃ', isWeak: false },
      { text: 'i', isWeak: false },
      { text: 't', isWeak: true },
    ]);
  });

  it('are marked by their sign where another pronunciation was recognised', () => {
    expect(markWeakSounds('tʃiθ', CHEAT, 'θ')).toEqual([
      { text: 'tʃi', isWeak: false },
      { text: 'θ', isWeak: true },
      { text: '', isWeak: false },
    ]);
    expect(markWeakSounds('tʃiθ', CHEAT, 'v')).toEqual([{ text: 'tʃiθ', isWeak: false }]);
    expect(markWeakSounds('tʃiθ', [], undefined)).toEqual([{ text: 'tʃiθ', isWeak: false }]);
  });
});
