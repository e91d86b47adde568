import { afterEach, expect, it, vi } from 'vitest';
import { createHttpServer } from './create-http-server.ts';

afterEach(() => {
  vi.useRealTimers();
});

it('a server waits for what takes longer than ten seconds to stop', async () => {
  const app = await createHttpServer({}, { guard: () => undefined });
  const closed: string[] = [];
  app.addHook('preClose', async () => {
    await new Promise((resolve) => {
      setTimeout(resolve, 15_000);
    });
    closed.push('mails');
  });
  app.addHook('onClose', async () => void closed.push('database'));
  await app.ready();
  vi.useFakeTimers();
  const closing = app.close();
  await vi.advanceTimersByTimeAsync(20_000);
  await closing;
  expect(closed).toEqual(['mails', 'database']);
});
