import { randomUUID } from 'node:crypto';
import { type Mutation, MAX_PUSH_BYTES } from '@parley/contract';
import { Conversation, MAX_SESSION_BYTES, type PackedAssessment, packAssessment, TurnId } from '@parley/domain';
import { eq, sql } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import type { DatabaseConnection } from '../../db/client.ts';
import { tables } from '../../db/tables.ts';
import { setUpSyncFixture } from '../../../test-kit/sync/sync-fixture.ts';
import { beginSession } from '../../../test-kit/sync/sessions.ts';
import { rowsOf } from '../../../test-kit/sync/sync-stream.ts';
import { aCoachTurn, aLearnerTurn, conversationChanges, turnChange } from '../../../test-kit/sync/turns.ts';
import { registerDevice, START_MS, type TestDevice } from '../../../test-kit/server.ts';
import { BatchTooLarge, refuseLargeChanges } from '../push/load-batch.ts';
import { inOwnTransaction } from '../push/statements/merged-statements.ts';
import { parseChange } from '../push/parse-change.ts';
import { migrateTurns } from './migrate-turns.ts';
import { MAX_CONVERSATION_BYTES } from './project-turns.ts';

const WORDS = 1_212;
const SOUNDS_PER_WORD = 80;
/** More than the program may hold at once, but little in the database. */
const OLD_TURNS = 60;

/**
 * Just under the limit of a turn's assessment. Unpacked, it is more than ten times as long; compressed, it takes almost
 * no space.
 */
const longestAssessment = (): PackedAssessment =>
  packAssessment({
    source: 'device',
    durationMs: 1,
    snrDb: null,
    accuracy: 50,
    fluency: null,
    prosody: null,
    completeness: null,
    pron: null,
    words: Array.from({ length: WORDS }, () => ({
      word: 'a',
      startMs: 0,
      endMs: 10,
      accuracy: null,
      error: 'None' as const,
      phonemes: Array.from({ length: SOUNDS_PER_WORD }, () => ({ phoneme: 'a', startMs: 0, endMs: 0, accuracy: 50 })),
    })),
    pitch: [],
    pauses: [],
  });

/** Runs a device that fills a session with as much as the limits of its turns allow. */
export function largeSessionsSuite(open: () => Promise<DatabaseConnection>): void {
  const home = setUpSyncFixture(open);
  const assessment = JSON.parse(JSON.stringify(longestAssessment())) as Mutation['fields'][string];
  const assessmentBytes = JSON.stringify(assessment).length;
  /** The number of turns that fit with everything that belongs to them. */
  const fewestTurns = Math.floor(MAX_SESSION_BYTES / (assessmentBytes + 1_000));

  const say = (device: TestDevice, at: { sessionId: string; interactionId: string }, text = 'x'): Mutation => {
    const change = turnChange(device, aLearnerTurn({ text }), { ...at, previousTurnId: null });
    return { ...change, fields: { ...change.fields, assessment } };
  };
  /** Stores turns like a server from before the limit. */
  const storeOldTurns = (device: TestDevice, at: { sessionId: string; interactionId: string }, count = OLD_TURNS) =>
    home.server.database.db.execute(sql`
      insert into ai_conversations (conversation_id, interaction_id, user_id, content, role, session_id, said_at,
        assessment, created_at, updated_at, sync_version)
      select gen_random_uuid(), ${at.interactionId}, ${device.userId}, 'old ' || nr, 'learner', ${at.sessionId},
        now() + nr * interval '1 second', ${JSON.stringify(assessment)}::jsonb, now(), now(), 1
      from generate_series(1, ${count}) as nr`);
  const markStale = (device: TestDevice, { sessionId }: { sessionId: string }) =>
    home.server.database.db.execute(
      sql`insert into stale_conversations values (${sessionId}, ${device.userId}) on conflict do nothing`,
    );
  /** Returns the longest time for which the event loop was blocked. */
  const longestBlockMs = async (work: () => Promise<unknown>): Promise<number> => {
    let [longestMs, lastMs] = [0, performance.now()];
    const timer = setInterval(() => {
      longestMs = Math.max(longestMs, performance.now() - lastMs);
      lastMs = performance.now();
    }, 5);
    await work().finally(() => clearInterval(timer));
    return longestMs;
  };

  describe('the turns of a session', () => {
    it('are limited in size, whatever their number, and a refused turn names its session', async () => {
      const device = await registerDevice(home.server);
      const at = await beginSession(home, device);
      const statuses: string[] = [];
      for (let bytes = 0; bytes < MAX_SESSION_BYTES + 3 * assessmentBytes; bytes += 2 * assessmentBytes) {
        const { outcomes } = await device.push(say(device, at), say(device, at));
        for (const outcome of outcomes) {
          statuses.push(outcome.status);
          if (outcome.status === 'rejected')
            expect(outcome).toMatchObject({ code: 'limit_exceeded', field: 'sessionId' });
        }
      }
      const accepted = statuses.filter((status) => status === 'applied').length;
      expect(accepted).toBeGreaterThanOrEqual(fewestTurns);
      expect(accepted).toBeLessThanOrEqual(MAX_SESSION_BYTES / assessmentBytes);
      expect(new Set(statuses.slice(accepted))).toEqual(new Set(['rejected']));
      // A deletion is accepted, but reading the session still means reading its row.
      const [turn] = (await device.pull()).filter(({ table }) => table === 'ai_conversations');
      const rowId = String(turn?.fields['conversationId']);
      const gone = device.change({ table: 'ai_conversations', rowId, op: 'delete' });
      expect((await device.push(gone)).outcomes).toMatchObject([{ status: 'applied' }]);
      expect((await device.push(say(device, at))).outcomes).toMatchObject([{ status: 'rejected' }]);
      // Another session has room.
      expect((await device.push(say(device, await beginSession(home, device)))).outcomes).toMatchObject([
        { status: 'applied' },
      ]);
    });

    it('of one push are limited together', async () => {
      const device = await registerDevice(home.server);
      const at = await beginSession(home, device);
      await storeOldTurns(device, at, fewestTurns - 1);
      const { outcomes } = await device.push(say(device, at), say(device, at));
      const { outcomes: more } = await device.push(say(device, at), say(device, at));
      expect(outcomes[0]).toMatchObject({ status: 'applied' });
      expect(more[1]).toMatchObject({ status: 'rejected', code: 'limit_exceeded' });
    });
  });

  describe('a session from before the limit', () => {
    it('reaches an older app with its texts and the assessments that fit', async () => {
      const device = await registerDevice(home.server);
      const at = await beginSession(home, device);
      await storeOldTurns(device, at);
      await markStale(device, at);
      expect(await longestBlockMs(() => device.streamV2())).toBeLessThan(2_000);
      const { pages } = await device.streamV2();
      const row = pages.flatMap(rowsOf).find(({ fields }) => fields['id'] === at.sessionId);
      const turns = Conversation.parse(row?.fields['entireConversation']);
      expect(turns.map(({ text }) => text)).toEqual(Array.from({ length: OLD_TURNS }, (_, nr) => `old ${nr + 1}`));
      const assessed = turns.map((turn) => turn.role === 'learner' && turn.assessment !== null);
      expect(assessed.indexOf(false)).toBeGreaterThan(0);
      expect(assessed.lastIndexOf(true)).toBe(assessed.indexOf(false) - 1);
      expect(JSON.stringify(turns).length).toBeLessThanOrEqual(MAX_CONVERSATION_BYTES);
    });

    it('whose conversation was stored whole is computed again', async () => {
      const device = await registerDevice(home.server);
      const at = await beginSession(home, device);
      const { id } = tables.practiceHistory;
      await home.server.database.db
        .update(tables.practiceHistory)
        .set({ entireConversation: sql`jsonb_build_array(repeat('x', ${3 * MAX_CONVERSATION_BYTES}))` })
        .where(eq(id, at.sessionId));
      const { pages } = await device.streamV2();
      const row = pages.flatMap(rowsOf).find(({ fields }) => fields['id'] === at.sessionId);
      expect(row?.fields['entireConversation']).toEqual([]);
    });

    it('loses no turns that are still in one field and are too large to send', async () => {
      const device = await registerDevice(home.server);
      const at = await beginSession(home, device);
      const turns = Array.from({ length: 1_500 }, (_, nr) =>
        aLearnerTurn({ text: '語'.repeat(4_000), at: new Date(START_MS + nr * 1_000).toISOString() }),
      );
      await home.server.database.db
        .update(tables.practiceHistory)
        .set({ entireConversation: turns })
        .where(eq(tables.practiceHistory.id, at.sessionId));
      const missing = async (): Promise<number> => {
        const rows = await home.server.database.db
          .select({ id: tables.aiConversations.conversationId })
          .from(tables.aiConversations)
          .where(eq(tables.aiConversations.sessionId, at.sessionId));
        const [session] = await home.server.database.db
          .select({ conversation: tables.practiceHistory.entireConversation })
          .from(tables.practiceHistory)
          .where(eq(tables.practiceHistory.id, at.sessionId));
        const ids = new Set([
          ...rows.map(({ id }) => id),
          ...(session?.conversation ?? []).map(({ turnId }) => turnId),
        ]);
        return turns.filter(({ turnId }) => !ids.has(turnId)).length;
      };
      await device.streamV2();
      expect(await missing()).toBe(0);
      await migrateTurns({ db: home.server.database.db, now: home.server.now, onChanged: () => undefined });
      const { pages } = await device.streamV2();
      expect(await missing()).toBe(0);
      const row = pages.flatMap(rowsOf).find(({ fields }) => fields['id'] === at.sessionId);
      expect(Buffer.byteLength(JSON.stringify(row))).toBeLessThan(2 * MAX_CONVERSATION_BYTES);
    });

    it('keeps a stored turn that cannot be read when the conversation is computed again', async () => {
      const device = await registerDevice(home.server);
      const at = await beginSession(home, device);
      const unreadable = { turnId: randomUUID(), role: 'narrator', text: 'from an old app' };
      const { id } = tables.practiceHistory;
      await home.server.database.db
        .update(tables.practiceHistory)
        .set({ entireConversation: sql`${JSON.stringify([aLearnerTurn({ text: 'a' }), unreadable])}::jsonb` })
        .where(eq(id, at.sessionId));
      await device.push(turnChange(device, aLearnerTurn({ text: 'b' }), { ...at, previousTurnId: null }));
      for (let times = 0; times < 2; times += 1) {
        await markStale(device, at);
        const { pages } = await device.streamV2();
        const row = pages.flatMap(rowsOf).find(({ fields }) => fields['id'] === at.sessionId);
        const turns = row?.fields['entireConversation'] as { text: string }[];
        expect(turns.map(({ text }) => text).toSorted()).toEqual(['a', 'b', 'from an old app']);
      }
    });

    it('is not loaded by a push with its conversation in one field, which is rejected', async () => {
      const device = await registerDevice(home.server);
      const at = await beginSession(home, device);
      await storeOldTurns(device, at);
      const [session, ...rows] = conversationChanges(device, [aCoachTurn(), aLearnerTurn()], { ...at, since: 0 });
      if (session === undefined) throw new Error('no change');
      const { outcomes } = await device.pushV2(session, ...rows);
      expect(outcomes[0]).toMatchObject({ status: 'rejected', field: 'entireConversation' });
    });

    it('accepts changes that need no space', async () => {
      const device = await registerDevice(home.server);
      const at = await beginSession(home, device);
      await storeOldTurns(device, at, 30);
      const change = device.change({ table: 'practice_history', rowId: at.sessionId, fields: { summary: 'fine' } });
      expect((await device.push(change)).outcomes).toMatchObject([{ status: 'applied' }]);
    });
  });

  describe('a push that names many large rows', () => {
    /** Turns of 400 kB each, each in a session of its own. */
    const storeSessions = async (device: TestDevice, sessions: number, turns: number): Promise<string[]> => {
      for (let count = 0; count < sessions; count += 1)
        await storeOldTurns(device, await beginSession(home, device), turns);
      const rows = await home.server.database.db
        .select({ id: tables.aiConversations.conversationId })
        .from(tables.aiConversations)
        .where(eq(tables.aiConversations.userId, device.userId));
      return rows.map(({ id }) => id);
    };

    it('is split before it loads them, and loads them in portions', async () => {
      const device = await registerDevice(home.server);
      const turnIds = await storeSessions(device, 4, 15);
      const changes = turnIds.map((rowId) =>
        device.change({ table: 'ai_conversations', rowId, fields: { hintLevel: 1 } }),
      );
      const parsed = changes.map((change) => parseChange(change, 3));
      const transaction = inOwnTransaction(home.server.database.db);
      await expect(refuseLargeChanges(transaction, parsed)).rejects.toThrow(BatchTooLarge);
      const outcomes = [];
      for (let sent = 0; sent < changes.length; sent = outcomes.length)
        outcomes.push(...(await device.push(...changes.slice(sent))).outcomes);
      expect(outcomes.every(({ status }) => status === 'merged' || status === 'applied')).toBe(true);
      expect(outcomes).toHaveLength(60);
    });

    it('in the list of one conversation is rejected', async () => {
      const device = await registerDevice(home.server);
      const turnIds = await storeSessions(device, 3, 15);
      const { sessionId, interactionId } = await beginSession(home, device);
      const listed = turnIds.map((turnId) => aLearnerTurn({ turnId }));
      const [session] = conversationChanges(device, listed, { sessionId, interactionId, since: listed.length });
      if (session === undefined) throw new Error('no change');
      expect(JSON.stringify(session).length).toBeLessThan(MAX_PUSH_BYTES);
      const { outcomes } = await device.pushV2(session);
      expect(outcomes).toMatchObject([{ status: 'rejected', field: 'entireConversation' }]);
    });
  });

  it('a conversation in one field does not change turns of other sessions', async () => {
    const device = await registerDevice(home.server);
    const [first, second] = [await beginSession(home, device), await beginSession(home, device)];
    const turn = aLearnerTurn({ text: '', turnId: TurnId.parse(randomUUID()) });
    await device.push(turnChange(device, turn, { ...first, previousTurnId: null }));
    const changes = conversationChanges(device, [{ ...turn, text: 'elsewhere' }], { ...second, since: 1 });
    await device.pushV2(...changes);
    const [kept] = (await device.pull()).filter(({ fields }) => fields['conversationId'] === turn.turnId);
    expect(kept?.fields).toMatchObject({ content: '', sessionId: first.sessionId });
  });
}
