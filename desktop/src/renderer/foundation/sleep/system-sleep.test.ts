import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { hasSleptBetween, subscribeToSleep } from './system-sleep.ts';

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

describe('a clock that jumps forward', () => {
  beforeEach(() => {
    vi.useFakeTimers();
    vi.stubGlobal('window', new EventTarget());
    vi.stubGlobal('document', { visibilityState: 'visible' });
  });
  afterEach(() => {
    vi.useRealTimers();
    vi.unstubAllGlobals();
  });

  it.each([
    ['is a sign of sleep in a browser', 'Mozilla/5.0 Chrome/140.0.0.0 Safari/537.36', 1],
    ['is none in Electron, which says when the computer sleeps', 'Mozilla/5.0 Chrome/140.0.0.0 Electron/38.0.0', 0],
  ])('%s', (_name, userAgent, times) => {
    vi.stubGlobal('navigator', { userAgent });
    const onSleep = vi.fn();
    const stop = subscribeToSleep(onSleep);
    vi.setSystemTime(Date.now() + 3_600_000);
    vi.advanceTimersByTime(1_000);
    expect(onSleep).toHaveBeenCalledTimes(times);
    stop();
  });
});
