import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { seededSessionId as sessionId, seedSessions } from '../test-kit/seed-sessions.ts';
import { inDatabase } from '../test-kit/read-database.ts';
import { type OpenHost, openHost } from '../test-kit/open-host.ts';

const SESSIONS = 5_000;

let opened: OpenHost;
beforeAll(async () => {
  opened = await openHost();
  seedSessions(opened.dataDir, SESSIONS);
});
afterAll(() => opened.host.close());

const list = (search: string, offset = 0) => opened.ask.history.list({ search, offset, limit: 50 });

describe('a history of 5,000 sessions', () => {
  it('lists the newest sessions first, page by page', async () => {
    const first = await list('');
    expect(first.total).toBe(SESSIONS);
    expect(first.items.map((item) => item.sessionId)).toEqual(
      Array.from({ length: 50 }, (_, index) => sessionId(SESSIONS - 1 - index)),
    );
    expect((await list('', 4_990)).items).toHaveLength(10);
  });

  it('finds spoken words regardless of accents and returns an excerpt', async () => {
    const found = await list('reykjavik');
    expect(found.total).toBe(1);
    expect(found.items[0]).toMatchObject({ sessionId: sessionId(4_321), title: 'A late delivery' });
    expect(found.items[0]?.excerpt).toContain('from Reykjavík');
  });

  it('finds word prefixes and titles', async () => {
    expect((await list('parcel reykj')).total).toBe(1);
    expect((await list('a late deliv')).total).toBe(SESSIONS);
    expect((await list('zebra')).total).toBe(0);
  });

  it.each(['"', 'NEAR(', 'a AND', '*', '%', "'; --", 'spoken:x'])('accepts %j as plain text', async (search) => {
    await expect(list(search)).resolves.toBeDefined();
  });

  it('lists sessions without a title when their practice is not on this device', async () => {
    inDatabase(opened.dataDir, (sqlite) => sqlite.exec('DELETE FROM practices'));
    expect((await list('reykjavik')).items[0]).toMatchObject({ sessionId: sessionId(4_321), title: null });
    const { session } = await opened.ask.practice.result({ sessionId: sessionId(4_321) });
    expect(session.title).toBeNull();
  });
});
