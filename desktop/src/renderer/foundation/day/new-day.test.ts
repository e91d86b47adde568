import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { subscribeToNewDay } from './new-day.ts';

const EVENING = new Date(2026, 10, 18, 23, 58, 30);
const MINUTE_MS = 60_000;

const page = new EventTarget();
beforeEach(() => {
  vi.useFakeTimers({ now: EVENING });
  vi.stubGlobal('document', page);
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

describe('a new day', () => {
  it('is noticed once, within a minute after midnight', () => {
    const onNewDay = vi.fn();
    const stop = subscribeToNewDay(onNewDay);
    vi.advanceTimersByTime(MINUTE_MS);
    expect(onNewDay).not.toHaveBeenCalled();
    vi.advanceTimersByTime(MINUTE_MS);
    expect(onNewDay).toHaveBeenCalledTimes(1);
    vi.advanceTimersByTime(60 * MINUTE_MS);
    expect(onNewDay).toHaveBeenCalledTimes(1);
    stop();
  });

  it('is noticed when a hidden window is shown again', () => {
    const onNewDay = vi.fn();
    const stop = subscribeToNewDay(onNewDay);
    vi.setSystemTime(new Date(2026, 10, 19, 8));
    page.dispatchEvent(new Event('visibilitychange'));
    expect(onNewDay).toHaveBeenCalledTimes(1);
    stop();
    vi.setSystemTime(new Date(2026, 10, 20, 8));
    page.dispatchEvent(new Event('visibilitychange'));
    vi.advanceTimersByTime(2 * MINUTE_MS);
    expect(onNewDay).toHaveBeenCalledTimes(1);
  });
});
