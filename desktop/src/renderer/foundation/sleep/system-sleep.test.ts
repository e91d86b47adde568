import { describe, expect, it } from 'vitest';
import { hasSleptBetween } from './system-sleep.ts';

describe('the computer has slept', () => {
  const tick = (seconds: number, isVisible = true) => ({ atMs: seconds * 1_000, isVisible });

  it.each([
    ['a visible window ticked late by a busy computer', tick(0), tick(8), false],
    ['a visible window did not tick for long', tick(0), tick(16), true],
    ['a hidden window ticked once a minute', tick(0, false), tick(61, false), false],
    ['a window was hidden for its last tick and is visible again', tick(0, false), tick(60), false],
    ['a hidden window did not tick for minutes', tick(0, false), tick(600, false), true],
    ['the clock was put back', tick(3_600), tick(0), false],
  ])('when %s', (_name, before, now, expected) => {
    expect(hasSleptBetween(before, now)).toBe(expected);
  });
});
