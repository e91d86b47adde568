import { describe, expect, it } from 'vitest';
import { PlaybackItem } from './playback-item.ts';

const second = new Uint8Array(48_000);

function anItem(): PlaybackItem {
  const item = new PlaybackItem('item_1');
  item.text = ' Good morning, the room is free from May. ';
  item.addAudio(second, 5_000);
  item.addAudio(second, 5_050);
  item.isComplete = true;
  return item;
}

describe('the played part of an utterance', () => {
  it('is estimated by the clock and limited to the received audio', () => {
    expect(anItem().playedMs(5_700)).toBe(700);
    expect(anItem().remainingMs(5_700)).toBe(1_300);
    expect(anItem().playedMs(60_000)).toBe(2_000);
    expect(new PlaybackItem('item_2').playedMs(60_000)).toBe(0);
  });

  it("follows the player's report and pauses while held", () => {
    const item = anItem();
    item.reportPlayback({ audioMs: 400, isHeld: true }, 5_700);
    expect(item.playedMs(9_000)).toBe(400);
    item.reportPlayback({ audioMs: 400 }, 9_000);
    expect(item.playedMs(9_300)).toBe(700);
    item.reportPlayback({ audioMs: 60_000 }, 9_300);
    expect(item.remainingMs(9_300)).toBe(0);
  });

  it('is converted to whole words in proportion', () => {
    expect(anItem().playedText(0)).toBe('');
    expect(anItem().playedText(1_000)).toBe('Good morning, the');
    expect(anItem().playedText(2_000)).toBe('Good morning, the room is free from May.');
  });

  it('is empty while only text has arrived', () => {
    const item = new PlaybackItem('item_3');
    item.text = 'Good';
    expect(item.playedText(300)).toBe('');
  });
});
