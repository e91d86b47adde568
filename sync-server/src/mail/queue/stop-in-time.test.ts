import { afterEach, expect, it, vi } from 'vitest';
import { createMailSchedule } from './schedule.ts';

afterEach(() => {
  vi.useRealTimers();
});

it('a schedule stops although the mail server is silent', async () => {
  vi.useFakeTimers();
  const { start, stop } = createMailSchedule({
    mail: {
      renameFormerStates: async () => undefined,
      sendDue: () => new Promise(() => undefined),
      remind: async () => 0,
      onEnqueued: () => undefined,
    },
    onError: (error) => expect.unreachable(String(error)),
  });
  start();
  let hasStopped = false;
  void stop().then(() => (hasStopped = true));
  await vi.advanceTimersByTimeAsync(9_000);
  expect(hasStopped).toBe(false);
  await vi.advanceTimersByTimeAsync(2_000);
  expect(hasStopped).toBe(true);
});
