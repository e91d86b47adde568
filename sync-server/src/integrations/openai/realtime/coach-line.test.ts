import { describe, expect, it } from 'vitest';
import { CoachLine } from './coach-line.ts';

const second = new Uint8Array(48_000);

function aLine(): CoachLine {
  const line = new CoachLine('item_1');
  line.text = ' Good morning, the room is free from May. ';
  line.sound(second, 5_000);
  line.sound(second, 5_050);
  line.isWhole = true;
  return line;
}

describe('what was heard of a line', () => {
  it('is reckoned by the clock since its first sound, and never more than came', () => {
    expect(aLine().heardMs(5_700)).toBe(700);
    expect(aLine().leftMs(5_700)).toBe(1_300);
    expect(aLine().heardMs(60_000)).toBe(2_000);
    expect(new CoachLine('item_2').heardMs(60_000)).toBe(0);
  });

  it('is what its player says, and goes on from there unless it is held', () => {
    const line = aLine();
    line.played({ audioMs: 400, isHeld: true }, 5_700);
    expect(line.heardMs(9_000)).toBe(400);
    line.played({ audioMs: 400 }, 9_000);
    expect(line.heardMs(9_300)).toBe(700);
    line.played({ audioMs: 60_000 }, 9_300);
    expect(line.leftMs(9_300)).toBe(0);
  });

  it('in words is its share of them, without the one that was begun', () => {
    expect(aLine().heardText(0)).toBe('');
    expect(aLine().heardText(1_000)).toBe('Good morning, the');
    expect(aLine().heardText(2_000)).toBe('Good morning, the room is free from May.');
  });

  it('is nothing while there is only text', () => {
    const line = new CoachLine('item_3');
    line.text = 'Good';
    expect(line.heardText(300)).toBe('');
  });
});
