import { REALTIME_BYTES_A_MS } from '@parley/contract';
import { describe, expect, it } from 'vitest';
import { createCoachWords } from './coach-words.ts';

const TEXT = 'One two three four five six seven eight nine ten.';

/** Four seconds of sound have come, and no time has passed. */
function speaking() {
  let nowMs = 1_000;
  const words = createCoachWords(() => nowMs);
  words.began('a');
  words.said('a', TEXT);
  words.sound('a', new Uint8Array(4_000 * REALTIME_BYTES_A_MS));
  return { words, pass: (ms: number): void => void (nowMs += ms) };
}

describe('what was heard of a coach', () => {
  it('is what its player said, and by the clock what was played since', () => {
    const { words, pass } = speaking();
    pass(3_000);
    words.played({ itemId: 'a', audioMs: 1_200 });
    pass(800);
    expect(words.brokeOff()).toBe('One two three four five');
    expect(words.brokeOff()).toBe('');
  });

  it('does not grow while it is held', () => {
    const { words, pass } = speaking();
    words.played({ itemId: 'a', audioMs: 2_000, isHeld: true });
    pass(60_000);
    expect(words.brokeOff()).toBe('One two three four five');
  });

  it('does not grow during a moment, and goes on after it', () => {
    const { words, pass } = speaking();
    pass(1_000);
    words.giveMeAMoment(true);
    pass(60_000);
    words.giveMeAMoment(false);
    pass(1_000);
    expect(words.brokeOff()).toBe('One two three four five');
  });

  it('is nothing of an utterance that began during a moment', () => {
    const { words, pass } = speaking();
    words.ended('a');
    words.giveMeAMoment(true);
    words.began('b');
    words.said('b', TEXT);
    words.sound('b', new Uint8Array(4_000 * REALTIME_BYTES_A_MS));
    pass(60_000);
    expect(words.brokeOff()).toBe('');
  });

  it('does not grow once it was stopped, even if its player says only then how far it came', () => {
    const { words, pass } = speaking();
    words.stopped();
    pass(500);
    words.played({ itemId: 'a', audioMs: 2_000 });
    pass(60_000);
    expect(words.brokeOff()).toBe('One two three four five');
  });

  it('is all of it when it was played to its end, and nothing once the server has ended it', () => {
    const { words, pass } = speaking();
    pass(60_000);
    expect(words.brokeOff()).toBe(TEXT);
    const { words: ended } = speaking();
    ended.ended('a');
    expect(ended.brokeOff()).toBe('');
  });
});
