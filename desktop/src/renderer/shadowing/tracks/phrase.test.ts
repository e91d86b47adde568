import type { AlignedWord } from '@parley/domain';
import { describe, expect, it } from 'vitest';
import { afterKey, clipOfPhrase, isInPhrase } from './phrase.ts';

const at = (index: number, phrase: Parameters<typeof afterKey>[1]['phrase'] = null) => ({ index, count: 5, phrase });

describe('choosing a phrase by keyboard', () => {
  it('moves with the arrow keys and stops at both ends', () => {
    expect(afterKey({ key: 'ArrowRight', shiftKey: false }, at(1))).toEqual({ index: 2, phrase: null });
    expect(afterKey({ key: 'ArrowLeft', shiftKey: false }, at(0))).toEqual({ index: 0, phrase: null });
    expect(afterKey({ key: 'End', shiftKey: false }, at(0))).toEqual({ index: 4, phrase: null });
  });

  it('extends the phrase with Shift, in both directions from where it began', () => {
    const two = afterKey({ key: 'ArrowRight', shiftKey: true }, at(2));
    expect(two).toEqual({ index: 3, phrase: { anchor: 2, focus: 3 } });
    const back = afterKey({ key: 'ArrowLeft', shiftKey: true }, at(2, { anchor: 2, focus: 2 }));
    expect(back?.phrase).toEqual({ anchor: 2, focus: 1 });
    expect([0, 1, 2, 3].map((index) => isInPhrase(back?.phrase ?? null, index))).toEqual([false, true, true, false]);
  });

  it('takes one word with Enter, clears with Escape, and leaves other keys alone', () => {
    expect(afterKey({ key: 'Enter', shiftKey: false }, at(3))?.phrase).toEqual({ anchor: 3, focus: 3 });
    expect(afterKey({ key: 'Escape', shiftKey: false }, at(3, { anchor: 1, focus: 3 }))?.phrase).toBeNull();
    // Escape then stops the recording.
    expect(afterKey({ key: 'Escape', shiftKey: false }, at(3))).toBeNull();
    expect(afterKey({ key: 'a', shiftKey: false }, at(3))).toBeNull();
  });
});

describe('clipOfPhrase', () => {
  const word = (startMs: number, own: boolean): AlignedWord => ({
    word: 'word',
    axisMs: startMs,
    lengthMs: 300,
    model: { startMs, endMs: startMs + 200 },
    own: own ? { startMs: startMs * 2, endMs: startMs * 2 + 400 } : null,
  });
  const words = [word(0, true), word(300, false), word(600, true)];

  it('is the stretch of each voice, without words that it left out', () => {
    const phrase = { anchor: 2, focus: 1 };
    expect(clipOfPhrase(words, phrase, 'model')).toEqual({ startMs: 300, endMs: 800 });
    expect(clipOfPhrase(words, phrase, 'own')).toEqual({ startMs: 1_200, endMs: 1_600 });
    expect(clipOfPhrase(words, { anchor: 1, focus: 1 }, 'own')).toBeNull();
  });
});
