import { describe, expect, it } from 'vitest';
import { hideThinking } from './hide-thinking.ts';

function spokenOf(pieces: readonly string[], startsThinking = false): string {
  const filter = hideThinking({ startsThinking });
  return pieces.map((piece) => filter.take(piece)).join('') + filter.rest();
}

describe('what a model thinks', () => {
  it.each([
    ['nothing', ['Good morning.'], 'Good morning.'],
    ['one thought first', ['<think>\nShe wants a room.\n</think>\n\nGood morning.'], '\n\nGood morning.'],
    ['a thought of another name', ['<thinking>hm</thinking>Yes.'], 'Yes.'],
    ['a thought in the middle', ['Yes. <think>hm</think>It is.'], 'Yes. It is.'],
    ['a thought that never ends', ['<think>She wants'], ''],
    ['a bracket that begins no thought', ['2 < 3, and <b>bold</b>'], '2 < 3, and <b>bold</b>'],
  ])('is left out: %s', (_, pieces, expected) => {
    expect(spokenOf(pieces)).toBe(expected);
    expect(spokenOf(pieces.flatMap((piece) => [...piece]))).toBe(expected);
  });

  it('is known by its end where the template opened it', () => {
    expect(spokenOf(['She wants a room.</think>Good morning.'], true)).toBe('Good morning.');
    const filter = hideThinking({ startsThinking: false });
    filter.take('She wants a room.</think>Good morning.');
    expect(filter.hasStrayEnd()).toBe(true);
  });
});
