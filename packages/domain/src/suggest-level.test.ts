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

describe('the level that a reading suggests', () => {
  it.each([
    ['fluent and clear', {}, 'advanced'],
    ['clear, with pauses', { fluency: 60 }, 'intermediate'],
    ['hard to follow', { pron: 50 }, 'beginner'],
    ['half of the text left out', { completeness: 50 }, 'beginner'],
    ['nothing that could be measured', { pron: null, fluency: null }, null],
    ['noise', { unusable: { reason: 'noisy', hint: 'Move somewhere quieter.' } }, null],
  ] as const)('%s', (_what, changes, level) => {
    expect(suggestLevel(read(changes))).toBe(level);
  });
});
