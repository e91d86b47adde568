import { type PlaybackPosition, REALTIME_BYTES_PER_MS } from '@parley/contract';
import { describe, expect, it } from 'vitest';
import {
  audioArrived,
  cutOff,
  holdChanged,
  NO_PLAYBACK,
  playbackStopped,
  positionReported,
  takeHeardTexts,
  textArrived,
  utteranceEnded,
  utteranceStarted,
} from './playback.ts';

const TEXT = 'One two three four five six seven eight nine ten.';

/** Four seconds of audio have arrived and no time has passed. */
function speaking() {
  let nowMs = 1_000;
  let playback = NO_PLAYBACK;
  const words = {
    arrives(itemId: string): void {
      playback = textArrived(utteranceStarted(playback, itemId), { itemId, text: TEXT });
      playback = audioArrived(playback, { itemId, pcm: new Uint8Array(4_000 * REALTIME_BYTES_PER_MS) }, nowMs);
    },
    onPlayed: (position: PlaybackPosition): void => void (playback = positionReported(playback, position, nowMs)),
    setOnHold: (isOn: boolean): void => void (playback = holdChanged(playback, isOn, nowMs)),
    onStopped: (): void => void (playback = playbackStopped(playback, nowMs)),
    onEnded: (itemId: string): void => void (playback = utteranceEnded(playback, itemId)),
    takeHeardTexts(): string[] {
      const taken = takeHeardTexts(playback, nowMs);
      ({ playback } = taken);
      return taken.texts;
    },
  };
  words.arrives('a');
  return { words, pass: (ms: number): void => void (nowMs += ms) };
}

describe('the heard part of an utterance', () => {
  it('follows the reported playback position and then the clock', () => {
    const { words, pass } = speaking();
    pass(3_000);
    words.onPlayed({ itemId: 'a', audioMs: 1_200 });
    pass(800);
    expect(words.takeHeardTexts()).toEqual(['One two three four five …']);
    expect(words.takeHeardTexts()).toEqual([]);
  });

  it('does not grow while playback is held', () => {
    const { words, pass } = speaking();
    words.onPlayed({ itemId: 'a', audioMs: 2_000, isHeld: true });
    pass(60_000);
    expect(words.takeHeardTexts()).toEqual(['One two three four five …']);
  });

  it('does not grow during a hold and continues after it', () => {
    const { words, pass } = speaking();
    pass(1_000);
    words.setOnHold(true);
    pass(60_000);
    words.setOnHold(false);
    pass(1_000);
    expect(words.takeHeardTexts()).toEqual(['One two three four five …']);
  });

  it('is empty for an utterance that began during a hold', () => {
    const { words, pass } = speaking();
    words.onEnded('a');
    words.setOnHold(true);
    words.arrives('b');
    pass(60_000);
    expect(words.takeHeardTexts()).toEqual([]);
  });

  it('does not grow after a stop, even if the position arrives later', () => {
    const { words, pass } = speaking();
    words.onStopped();
    pass(500);
    words.onPlayed({ itemId: 'a', audioMs: 2_000 });
    pass(60_000);
    expect(words.takeHeardTexts()).toEqual(['One two three four five …']);
  });

  it('is everything after full playback, and nothing once the server ended it', () => {
    const { words, pass } = speaking();
    pass(60_000);
    expect(words.takeHeardTexts()).toEqual([TEXT]);
    const { words: ended } = speaking();
    ended.onEnded('a');
    expect(ended.takeHeardTexts()).toEqual([]);
  });

  it('is kept when the next utterance begins before the server reports the end of this one', () => {
    const { words, pass } = speaking();
    pass(4_000);
    words.arrives('b');
    pass(2_000);
    expect(words.takeHeardTexts()).toEqual([TEXT, 'One two three four five …']);
  });
});

describe('a text that was cut off', () => {
  it.each([
    ['The room is on the', 'The room is on the …'],
    ['Well,', 'Well …'],
    ['Good morning.', 'Good morning.'],
    ['He said “Stop!”', 'He said “Stop!”'],
    ['', ''],
  ])('%j is shown as %j', (heard, shown) => {
    expect(cutOff(heard)).toBe(shown);
  });
});
