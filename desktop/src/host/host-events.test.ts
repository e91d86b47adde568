import type { HostEvent } from '@parley/contract';
import { describe, expect, it } from 'vitest';
import { createHostEvents } from './host-events.ts';
import { openHost, startPractice } from './test-kit/open-host.ts';

describe('the event stream', () => {
  it('names the changed tables after each commit and ends with the host', async () => {
    const { host, ask } = await openHost();
    const events = await ask.app.events();
    const seen: HostEvent[] = [];
    const listening = (async () => {
      for await (const event of events) seen.push(event);
    })();
    await ask.settings.updateDevice({ theme: 'dark' });
    await startPractice(ask, 'text');
    await host.close();
    await listening;
    const tables = seen.flatMap((event) => (event.type === 'data_changed' ? event.tables : []));
    expect(tables).toEqual(expect.arrayContaining(['device_settings', 'practice_history', 'ai_conversations']));
  });

  it('ends when its listener aborts and omits rolled-back changes', async () => {
    const { host, ask } = await openHost();
    const leaving = new AbortController();
    const events = await ask.app.events(undefined, { signal: leaving.signal });
    const first = events.next();
    await expect(startPractice(ask, 'text')).resolves.toBeDefined();
    expect((await first).value).toMatchObject({ type: 'data_changed' });
    leaving.abort();
    await expect(events.next()).resolves.toMatchObject({ done: true });
    await host.close();
  });
});

it('delivers events that were announced just before it closed', async () => {
  const events = createHostEvents();
  const seen = events.listen(undefined);
  const first = seen.next();
  events.announceReopening();
  events.close();
  expect(await first).toEqual({ done: false, value: { type: 'reopening' } });
  expect((await seen.next()).done).toBe(true);
});
