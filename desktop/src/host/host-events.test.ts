import type { HostEvent } from '@parley/contract';
import { afterEach, describe, expect, it } from 'vitest';
import { LATE_DELIVERY } from './test-kit/a-catalogue.ts';
import { openHost, removeDataFolders } from './test-kit/open-host.ts';

afterEach(removeDataFolders);

describe('the stream of events', () => {
  it('tells which tables changed, after they did, and ends with the host', async () => {
    const { host, ask } = await openHost();
    const events = await ask.app.events();
    const seen: HostEvent[] = [];
    const listening = (async () => {
      for await (const event of events) seen.push(event);
    })();
    await ask.settings.updateDevice({ theme: 'dark' });
    await ask.practice.start({ practiceId: LATE_DELIVERY, difficulty: 'easy', communicationStyle: 'text' });
    await host.close();
    await listening;
    const tables = seen.flatMap((event) => (event.type === 'data_changed' ? event.tables : []));
    expect(tables).toEqual(expect.arrayContaining(['device_settings', 'practice_history', 'ai_conversations']));
  });

  it('ends when its listener goes, and says nothing of what was rolled back', async () => {
    const { host, ask } = await openHost();
    const leaving = new AbortController();
    const events = await ask.app.events(undefined, { signal: leaving.signal });
    const first = events.next();
    await expect(
      ask.practice.start({ practiceId: LATE_DELIVERY, difficulty: 'easy', communicationStyle: 'text' }),
    ).resolves.toBeDefined();
    expect((await first).value).toMatchObject({ type: 'data_changed' });
    leaving.abort();
    await expect(events.next()).resolves.toMatchObject({ done: true });
    await host.close();
  });
});
