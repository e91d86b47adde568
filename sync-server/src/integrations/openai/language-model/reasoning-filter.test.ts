import { describe, expect, it } from 'vitest';
import { createReasoningFilter } from './reasoning-filter.ts';

function filterReasoning(pieces: readonly string[], startsInReasoning = false): string {
  const filter = createReasoningFilter({ startsInReasoning });
  return pieces.map((piece) => filter.push(piece)).join('') + filter.flush();
}

describe('the reasoning filter', () => {
  it.each([
    ['text without reasoning', ['Good morning.'], 'Good morning.'],
    ['reasoning at the start', ['<think>\nShe wants a room.\n</think>\n\nGood morning.'], '\n\nGood morning.'],
    ['another tag name', ['<thinking>hm</thinking>Yes.'], 'Yes.'],
    ['reasoning in the middle', ['Yes. <think>hm</think>It is.'], 'Yes. It is.'],
    ['reasoning that never ends', ['<think>She wants'], ''],
    ['a bracket that starts no tag', ['2 < 3, and <b>bold</b>'], '2 < 3, and <b>bold</b>'],
  ])('handles %s', (_, pieces, expected) => {
    expect(filterReasoning(pieces)).toBe(expected);
    expect(filterReasoning(pieces.flatMap((piece) => [...piece]))).toBe(expected);
  });

  it('recognises reasoning by its end when the template opened it', () => {
    expect(filterReasoning(['She wants a room.</think>Good morning.'], true)).toBe('Good morning.');
    const filter = createReasoningFilter({ startsInReasoning: false });
    filter.push('She wants a room.</think>Good morning.');
    expect(filter.hasUnopenedEnd()).toBe(true);
  });
});
