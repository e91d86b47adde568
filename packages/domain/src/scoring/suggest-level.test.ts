import { describe, expect, it } from 'vitest';
import type { Assessment } from './assessment.ts';
import { suggestLevel } from './suggest-level.ts';

const read = (changes: Partial<Assessment>): Assessment => ({
  source: 'device',
  durationMs: 40_000,
  snrDb: 30,
  accuracy: 85,
  fluency: 85,
  prosody: 80,
  completeness: 100,
  pron: 85,
  words: [],
  pitch: [],
  pauses: [],
  ...changes,
});

describe('suggestLevel', () => {
  it.each([
    ['fluent and clear', {}, 'advanced'],
    ['clear, with pauses', { fluency: 60 }, 'intermediate'],
    ['hard to follow', { pron: 50 }, 'beginner'],
    ['clear and fluent, in the half that was read', { completeness: 50 }, 'advanced'],
    ['only a line of the text', { completeness: 20 }, null],
    ['nothing measured', { pron: null, fluency: null }, null],
    ['noise', { unusable: { reason: 'noisy', hint: 'Move somewhere quieter.' } }, null],
  ] as const)('%s', (_what, changes, level) => {
    expect(suggestLevel(read(changes))).toBe(level);
  });
});
