import { afterEach, expect, it, vi } from 'vitest';
import { createMailSchedule } from './schedule.ts';

afterEach(() => {
  vi.useRealTimers();
});

it('a schedule gives up mails that are being sent after ten seconds', async () => {
  vi.useFakeTimers();
  let isGivenUp = false;
  const { start, stop } = createMailSchedule({
    mail: {
      renameFormerStates: async () => undefined,
      sendDue: ({ giveUp } = {}) =>
        new Promise((resolve) => {
          giveUp?.addEventListener('abort', () => {
            isGivenUp = true;
            resolve({ sent: 0, postponed: 1, bounced: 0, failed: 0, suppressed: 0 });
          });
        }),
      remind: async () => 0,
      onEnqueued: () => undefined,
    },
    onError: (error) => expect.unreachable(String(error)),
  });
  start();
  const stopped = stop();
  await vi.advanceTimersByTimeAsync(9_000);
  expect(isGivenUp).toBe(false);
  await vi.advanceTimersByTimeAsync(1_500);
  expect(isGivenUp).toBe(true);
  await stopped;
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
  await vi.advanceTimersByTimeAsync(3_500);
  expect(hasStopped).toBe(true);
});
