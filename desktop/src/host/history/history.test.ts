import { SessionId, TurnId } from '@parley/domain';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { COACH, LATE_DELIVERY, testId } from '../test-kit/a-catalogue.ts';
import { anAssessment, type OpenHost, openHost, removeDataFolders } from '../test-kit/open-host.ts';
import { inDatabase } from '../test-kit/read-database.ts';

const SESSIONS = 5_000;
const FIRST_MS = Date.parse('2026-01-01T00:00:00Z');

const sessionId = (index: number) => SessionId.parse(testId(1_000_000 + index));

/** A conversation as long as a real one, scores included; each session says its own number. */
function aConversation(index: number): string {
  const text = `Session ${index} was about a parcel that came ${index === 4_321 ? 'from Reykjavík' : 'late'}, and we were sorry.`;
  const turn = (at: number) => ({
    role: 'learner',
    turnId: TurnId.parse(testId(10_000_000 + index * 10 + at)),
    at: '2026-01-01T00:00:00.000Z',
    text,
    mode: 'voice',
    node: 'opening',
    fitted: true,
    recordingId: null,
    assessment: anAssessment(text),
    hintLevel: 0,
  });
  return JSON.stringify([turn(0), turn(1), turn(2), turn(3)]);
}

let opened: OpenHost;
beforeAll(async () => {
  opened = await openHost();
  inDatabase(opened.dataDir, (sqlite) => {
    const insert = sqlite.prepare(
      `INSERT INTO practice_history (id, practice_id, user_id, agent_id, created_at, updated_at, sync_version, score,
         entire_conversation, completed_objectives, duration, communication_style, status, difficulty)
       SELECT ?, ?, user_id, ?, ?, ?, 0, 80, ?, '[]', 300, 'audio', 'completed', 'easy' FROM sync_state`,
    );
    sqlite.transaction(() => {
      for (let index = 0; index < SESSIONS; index += 1) {
        const at = FIRST_MS + index * 60_000;
        insert.run(sessionId(index), LATE_DELIVERY, COACH, at, at, aConversation(index));
      }
    })();
  });
});
afterAll(async () => {
  await opened.host.close();
  removeDataFolders();
});

const list = (search: string, offset = 0) => opened.ask.history.list({ search, offset, limit: 50 });

describe('a history of 5,000 sessions', () => {
  it('lists the newest first, page by page', async () => {
    const first = await list('');
    expect(first.total).toBe(SESSIONS);
    expect(first.items.map((item) => item.sessionId)).toEqual(
      Array.from({ length: 50 }, (_, index) => sessionId(SESSIONS - 1 - index)),
    );
    expect((await list('', 4_990)).items).toHaveLength(10);
  });

  it('finds what was said, whatever its accents, with the words around it', async () => {
    const found = await list('reykjavik');
    expect(found.total).toBe(1);
    expect(found.items[0]).toMatchObject({ sessionId: sessionId(4_321), title: 'A late delivery' });
    expect(found.items[0]?.excerpt).toContain('from Reykjavík');
  });

  it('finds by the beginning of a word, and by a title', async () => {
    expect((await list('parcel reykj')).total).toBe(1);
    expect((await list('a late deliv')).total).toBe(SESSIONS);
    expect((await list('zebra')).total).toBe(0);
  });

  it.each(['"', 'NEAR(', 'a AND', '*', '%', "'; --", 'spoken:x'])('takes %j for what it is', async (search) => {
    await expect(list(search)).resolves.toBeDefined();
  });

  it('opens, searches and sums up at once', async () => {
    // A generous bar for a shared machine; reading the conversations would take seconds.
    for (const ask of [
      () => list(''),
      () => list('session 4999'),
      () => list('sorry'),
      () => opened.ask.today.overview(),
    ]) {
      const startedAt = performance.now();
      await ask();
      expect(performance.now() - startedAt).toBeLessThan(250);
    }
  });
});
