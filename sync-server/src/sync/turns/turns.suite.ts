import { randomUUID } from 'node:crypto';
import {
  Conversation,
  MAX_TURNS_PER_SESSION,
  packAssessment,
  RecordingId,
  sessionInteractionId,
  type Turn,
  TurnId,
} from '@parley/domain';
import { sql } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import type { DatabaseConnection } from '../../db/client.ts';
import { setUpSyncFixture } from '../../../test-kit/sync/sync-fixture.ts';
import { pushSession, rowOf } from '../../../test-kit/sync/rows.ts';
import { joinDevice, registerDevice, type TestDevice } from '../../../test-kit/server.ts';
import { rowsOf, LocalCopy } from '../../../test-kit/sync/sync-stream.ts';
import {
  aCoachTurn,
  aLearnerTurn,
  anAssessmentOf17Seconds,
  conversationChanges,
  interactionChange,
  turnChange,
} from '../../../test-kit/sync/turns.ts';
import { migrateTurns } from './migrate-turns.ts';

/** The size limit for a turn of 17 s: its envelope, 45 words, 165 sounds and 17 s of pitch. */
const MAX_TURN_CHANGE_BYTES = 2_900;

export function turnsSuite(open: () => Promise<DatabaseConnection>): void {
  const home = setUpSyncFixture(open);

  const begin = async (device: TestDevice) => {
    const { rowId: sessionId } = await pushSession(home.server, device, home.ids);
    const interaction = interactionChange(home.server, device, sessionId);
    await device.push(interaction);
    return { sessionId, interactionId: interaction.rowId };
  };
  /** Adds turns one after another, each following the previous one. */
  const say = (
    device: TestDevice,
    turns: readonly Turn[],
    at: { sessionId: string; interactionId: string; after?: string },
  ) =>
    turns.map((turn, index) =>
      turnChange(device, turn, { ...at, previousTurnId: turns[index - 1]?.turnId ?? at.after ?? null }),
    );
  /** Reads the conversation as an app of protocol 2 does. */
  const stored = async (device: TestDevice, sessionId: string): Promise<Conversation> => {
    const row = (await device.pullV2()).find(({ fields }) => fields['id'] === sessionId);
    return Conversation.parse(row?.fields['entireConversation']);
  };
  const turnRows = async (device: TestDevice, sessionId: string) =>
    (await device.pull()).filter(
      ({ table, fields }) => table === 'ai_conversations' && fields['sessionId'] === sessionId,
    );
  const texts = (turns: Conversation): string[] => turns.map(({ text }) => text);

  describe('two devices in one session', () => {
    it('keep both continuations and the session’s end', async () => {
      const { laptop, phone } = home;
      const { sessionId, interactionId } = await begin(laptop);
      const first = aCoachTurn();
      await laptop.push(...say(laptop, [first], { sessionId, interactionId }));
      const ten = Array.from({ length: 10 }, (_, nr) =>
        aLearnerTurn({ text: `ten ${nr}`, at: `2026-11-18T10:01:1${nr}.000Z` }),
      );
      const end = {
        status: 'completed',
        score: 91,
        summary: 'Well done.',
        feedback: null,
        accuracyScore: 91,
        fluencyScore: null,
      };
      const rest = { prosodyScore: null, completenessScore: null, pronScore: null, wordsScore: null };
      const one = aLearnerTurn({ text: 'one', at: '2026-11-18T10:02:00.000Z' });
      await laptop.push(
        ...say(laptop, ten, { sessionId, interactionId, after: first.turnId }),
        laptop.change({ table: 'practice_history', rowId: sessionId, fields: { ...end, ...rest } }),
      );
      home.server.advanceClock(60_000);
      const failed = { ...end, ...rest, status: 'failed_to_generate_score', score: null, summary: null };
      await phone.push(
        ...say(phone, [one], { sessionId, interactionId, after: first.turnId }),
        phone.change({ table: 'practice_history', rowId: sessionId, fields: failed }),
      );
      const turns = await stored(laptop, sessionId);
      expect(texts(turns)).toEqual([first.text, ...texts(ten), 'one']);
      expect(turns.at(-1)).toMatchObject({ continuation: 1 });
      expect(turns.at(-2)).not.toHaveProperty('continuation');
      expect(await rowOf(laptop, sessionId)).toMatchObject({ status: 'completed', score: 91, summary: 'Well done.' });
      expect(await turnRows(phone, sessionId)).toHaveLength(12);
    });

    it('show a device of protocol 2 what the other said, and vice versa', async () => {
      const { laptop, phone } = home;
      const { sessionId, interactionId } = await begin(laptop);
      const [a, b, c] = [aCoachTurn({ text: 'a' }), aLearnerTurn({ text: 'b' }), aLearnerTurn({ text: 'c' })];
      await laptop.push(...say(laptop, [a, b], { sessionId, interactionId }));
      const seen = (await phone.pullV2()).find(({ fields }) => fields['id'] === sessionId)?.fields;
      expect(texts(Conversation.parse(seen?.['entireConversation']))).toEqual(['a', 'b']);
      expect(seen?.['syncVersion']).toBe((await rowOf(laptop, sessionId))?.['syncVersion']);
      const pushed = await phone.pushV2(
        ...conversationChanges(phone, [a, b, c], { sessionId, interactionId, since: 2 }),
      );
      expect(pushed.outcomes.map(({ status }) => status)).toEqual(['applied', 'applied']);
      expect(pushed.rows).toEqual([]);
      const rows = await turnRows(laptop, sessionId);
      expect(rows.map(({ fields }) => String(fields['content'])).toSorted()).toEqual(['a', 'b', 'c']);
      expect(rows.find(({ fields }) => fields['content'] === 'c')?.fields).toMatchObject({
        previousTurnId: b.turnId,
        interactionId,
        saidAt: c.at,
        mode: 'voice',
      });
    });

    it('lose nothing when one continues from an older list', async () => {
      const { laptop, phone } = home;
      const { sessionId, interactionId } = await begin(laptop);
      const [a, b, c, d] = [aCoachTurn({ text: 'a' }), ...['b', 'c', 'd'].map((text) => aLearnerTurn({ text }))] as [
        Turn,
        Turn,
        Turn,
        Turn,
      ];
      await laptop.push(...say(laptop, [a, b, c], { sessionId, interactionId }));
      const pushed = await phone.pushV2(
        ...conversationChanges(phone, [a, b, d], { sessionId, interactionId, since: 2 }),
      );
      expect(pushed.outcomes.map(({ status }) => status)).toEqual(['merged', 'applied']);
      const [row] = pushed.rows.flatMap(({ table, fields, rows }) =>
        table === 'practice_history' ? rows.map((values) => values[fields.indexOf('entireConversation')]) : [],
      );
      expect(texts(Conversation.parse(row)).toSorted()).toEqual(['a', 'b', 'c', 'd']);
      // Both continuations remain separate after they were sent back as one list.
      const again = await phone.pushV2(
        ...conversationChanges(phone, await stored(laptop, sessionId), { sessionId, interactionId, since: 4 }),
      );
      expect(again.outcomes).toMatchObject([{ status: 'applied' }]);
      const follows = new Map(
        (await turnRows(laptop, sessionId)).map(({ fields }) => [fields['content'], fields['previousTurnId']]),
      );
      expect([follows.get('c'), follows.get('d')]).toEqual([b.turnId, b.turnId]);
    });
  });

  describe('a session sent in one field', () => {
    it('without turn rows attaches its turns to an existing or new interaction', async () => {
      const { server } = home;
      const device = await registerDevice(server);
      const { sessionId, interactionId } = await begin(device);
      const turns = [aCoachTurn(), aLearnerTurn()];
      await device.pushV2(...conversationChanges(device, turns, { sessionId, interactionId, since: 2 }));
      expect((await turnRows(device, sessionId)).map(({ fields }) => fields['interactionId'])).toEqual([
        interactionId,
        interactionId,
      ]);
      const { rowId: other } = await pushSession(server, device, home.ids);
      const pushed = await device.pushV2(
        ...conversationChanges(device, [aCoachTurn()], { sessionId: other, interactionId, since: 1 }),
      );
      expect(pushed.rows.map(({ table }) => table).toSorted()).toEqual(['ai_conversations', 'user_course_interaction']);
      const made = (await device.pull()).find(({ fields }) => fields['interactionId'] === sessionInteractionId(other));
      expect(made?.fields).toMatchObject({
        interactionType: 'practice',
        details: { sessionId: other, practiceId: home.ids.practiceId },
      });
    });

    it('is rejected when it contains another learner’s turn, which stays unchanged', async () => {
      const { laptop, stranger } = home;
      const theirs = await begin(laptop);
      const turn = aLearnerTurn({ text: 'in confidence' });
      await laptop.push(...say(laptop, [turn], theirs));
      const own = await begin(stranger);
      const changes = conversationChanges(stranger, [{ ...turn, text: 'taken' }], { ...own, since: 1 });
      expect((await stranger.pushV2(...changes)).outcomes).toMatchObject([{ status: 'rejected', code: 'not_yours' }]);
      expect(texts(await stored(laptop, theirs.sessionId))).toEqual(['in confidence']);
      expect(await stored(stranger, own.sessionId)).toEqual([]);
    });

    it('leaves a turn deleted that its device deleted after it, in the same push', async () => {
      const { laptop, phone } = home;
      const { sessionId, interactionId } = await begin(laptop);
      const [known, kept, removed] = ['a', 'b', 'c'].map((text) => aLearnerTurn({ text })) as [Turn, Turn, Turn];
      await phone.pushV2(...conversationChanges(phone, [known], { sessionId, interactionId }));
      const remove = (turn: Turn) => phone.change({ table: 'ai_conversations', rowId: turn.turnId, op: 'delete' });
      const { outcomes } = await phone.pushV2(
        ...conversationChanges(phone, [known, kept, removed], { sessionId, interactionId, since: 1 }),
        remove(removed),
        remove(known),
      );
      expect(outcomes.map(({ status }) => status)).not.toContain('rejected');
      expect(texts(await stored(laptop, sessionId))).toEqual(['b']);
      // A list that is sent after a deletion brings the turn back.
      await phone.pushV2(...conversationChanges(phone, [known, kept], { sessionId, interactionId, since: 2 }));
      expect(texts(await stored(laptop, sessionId)).toSorted()).toEqual(['a', 'b']);
    });

    it('is split into turns even if it was queued before protocol 3', async () => {
      const { laptop } = home;
      const { sessionId, interactionId } = await begin(laptop);
      const turns = [aCoachTurn({ text: 'a' }), aLearnerTurn({ text: 'b' })];
      const { outcomes, rows } = await laptop.push(...conversationChanges(laptop, turns, { sessionId, interactionId }));
      // The turn rows now contain more than the device sent.
      expect(outcomes.map(({ status }) => status)).toEqual(['applied', 'merged', 'merged']);
      expect(rows.map(({ table }) => table)).toEqual(['ai_conversations']);
      expect(texts(await stored(laptop, sessionId))).toEqual(['a', 'b']);
    });
  });

  describe('a turn', () => {
    it('is completed by a late transcript and assessment, then stays unchanged', async () => {
      const { laptop, phone } = home;
      const { sessionId, interactionId } = await begin(laptop);
      const turn = aLearnerTurn({ text: '', recordingId: RecordingId.parse(randomUUID()) });
      await laptop.push(...say(laptop, [turn], { sessionId, interactionId }));
      const own = { table: 'ai_conversations', rowId: turn.turnId };
      const assessment = packAssessment(anAssessmentOf17Seconds()) as never;
      const { outcomes } = await laptop.push(
        laptop.change({ ...own, fields: { content: 'What I said.' } }),
        laptop.change({ ...own, fields: { assessment } }),
      );
      expect(outcomes).toMatchObject([{ status: 'applied' }, { status: 'applied' }]);
      home.server.advanceClock(1_000);
      const late = await phone.push(phone.change({ ...own, fields: { content: 'Something else.' } }));
      expect(late.outcomes).toMatchObject([{ status: 'merged' }]);
      const [kept] = await stored(laptop, sessionId);
      expect(kept).toMatchObject({ text: 'What I said.', assessment: { durationMs: 17_000 } });
    });

    it('is part of its learner’s export, with its assessment alone and without it within its session', async () => {
      const { server } = home;
      const device = await registerDevice(server);
      const { sessionId, interactionId } = await begin(device);
      const answer = aLearnerTurn({ text: 'answered', assessment: anAssessmentOf17Seconds() });
      await device.push(...say(device, [aCoachTurn({ text: 'said' }), answer], { sessionId, interactionId }));
      const headers = { authorization: `Bearer ${device.token}` };
      const { body } = await server.send({ method: 'GET', url: '/v1/account/export', headers });
      expect(body).toMatchObject({
        practice_history: [{ entireConversation: [{ text: 'said' }, { text: 'answered', mode: 'voice' }] }],
      });
      expect(JSON.stringify(body['practice_history'])).not.toContain('assessment');
      const turns = body['ai_conversations'] as Record<string, unknown>[];
      expect(turns.find(({ content }) => content === 'answered')).toMatchObject({
        sessionId,
        assessment: { durationMs: 17_000 },
      });
    });

    it('that an older server stored in one field is part of the export too', async () => {
      const { server } = home;
      const device = await registerDevice(server);
      const { sessionId } = await begin(device);
      const unsplit = JSON.stringify([aLearnerTurn({ text: 'of an older server' })]);
      await server.database.db.execute(
        sql`update practice_history set entire_conversation = ${unsplit}::jsonb where id = ${sessionId}`,
      );
      const headers = { authorization: `Bearer ${device.token}` };
      const { body } = await server.send({ method: 'GET', url: '/v1/account/export', headers });
      expect(body).toMatchObject({ practice_history: [{ entireConversation: [{ text: 'of an older server' }] }] });
      await migrateTurns({ db: server.database.db, now: server.now, onChanged: () => undefined });
    });

    it('returns its session’s row with the new version', async () => {
      const { laptop } = home;
      const { sessionId, interactionId } = await begin(laptop);
      const { outcomes, rows, userVersion } = await laptop.push(
        ...say(laptop, [aCoachTurn()], { sessionId, interactionId }),
      );
      expect(outcomes).toMatchObject([{ status: 'applied' }]);
      expect(rows.map(({ table }) => table)).toEqual(['practice_history']);
      expect(rows[0]?.rows[0]?.[rows[0].fields.indexOf('syncVersion')]).toBe(userVersion);
      expect(rows[0]?.fields).not.toContain('entireConversation');
      // A change that does not affect the conversation leaves the session alone.
      const [turn] = await turnRows(laptop, sessionId);
      const again = laptop.change({
        table: 'ai_conversations',
        rowId: String(turn?.fields['conversationId']),
        fields: { hintLevel: 0 },
      });
      expect((await laptop.push(again)).rows.map(({ table }) => table)).not.toContain('practice_history');
    });

    it('is rejected beyond the limit of its session', async () => {
      const device = await registerDevice(home.server);
      const { sessionId, interactionId } = await begin(device);
      await home.server.database.db.execute(sql`
        insert into ai_conversations (conversation_id, interaction_id, user_id, content, role, session_id, said_at,
          created_at, updated_at, sync_version)
        select gen_random_uuid(), ${interactionId}, ${device.userId}, 'x', 'learner', ${sessionId}, now(), now(), now(), 1
        from generate_series(1, ${MAX_TURNS_PER_SESSION - 1})`);
      const [last, more] = [aLearnerTurn({ text: 'last' }), aLearnerTurn({ text: 'one too many' })];
      const { outcomes } = await device.push(...say(device, [last, more], { sessionId, interactionId }));
      expect(outcomes).toMatchObject([{ status: 'applied' }, { status: 'rejected', code: 'limit_exceeded' }]);
      const words = device.change({ table: 'ai_conversations', rowId: last.turnId, fields: { hintLevel: 2 } });
      expect((await device.push(words)).outcomes).toMatchObject([{ status: 'applied' }]);
    });

    it('of another learner’s session is rejected', async () => {
      const { laptop, stranger } = home;
      const { sessionId } = await begin(laptop);
      const own = await begin(stranger);
      const [change] = say(stranger, [aLearnerTurn()], { sessionId, interactionId: own.interactionId });
      if (change === undefined) throw new Error('no change');
      expect((await stranger.push(change)).outcomes).toMatchObject([{ status: 'rejected', code: 'missing_reference' }]);
    });
  });

  it(
    'a one-hour session sends each turn once, and a turn of 17 s in a few kilobytes',
    { tags: ['slow'], timeout: 240_000 },
    async () => {
      const { server } = home;
      const device = await registerDevice(server);
      const other = await joinDevice(server, device);
      const { sessionId, interactionId } = await begin(device);
      const copy = new LocalCopy().apply((await other.stream()).pages);
      const sizes: number[] = [];
      let previousTurnId: string | null = null;
      let received = 0;
      for (let nr = 0; nr < 212; nr += 1) {
        server.advanceClock(17_000);
        const at = server.now().toISOString();
        const turn =
          nr % 2 === 0
            ? aCoachTurn({ at, text: `What would you say to question ${nr}?` })
            : aLearnerTurn({ at, text: 'Well, I think we should move it.', assessment: anAssessmentOf17Seconds(nr) });
        const change = turnChange(device, turn, { sessionId, interactionId, previousTurnId });
        sizes.push(JSON.stringify(change).length);
        expect((await device.push(change)).outcomes).toMatchObject([{ status: 'applied' }]);
        const { pages } = await other.stream(copy.cursors);
        received += pages.flatMap(rowsOf).filter(({ table }) => table === 'ai_conversations').length;
        copy.apply(pages);
        previousTurnId = turn.turnId;
      }
      const largest = Math.max(...sizes);
      expect(largest).toBeLessThanOrEqual(MAX_TURN_CHANGE_BYTES);
      expect(received).toBe(212);
      expect(await stored(device, sessionId)).toHaveLength(212);
    },
  );

  describe('a conversation stored before turns were rows', () => {
    const store = async (device: TestDevice, turns: readonly Turn[]) => {
      const { rowId: sessionId } = await pushSession(home.server, device, home.ids);
      await home.server.database.db.execute(
        sql`update practice_history set entire_conversation = ${JSON.stringify(turns)}::jsonb where id = ${sessionId}`,
      );
      return sessionId;
    };
    const move = () => migrateTurns({ db: home.server.database.db, now: home.server.now, onChanged: () => undefined });

    it('is migrated to rows once', async () => {
      const device = await registerDevice(home.server);
      const turns = [
        aCoachTurn({ text: 'a' }),
        aLearnerTurn({ text: 'b', assessment: anAssessmentOf17Seconds() }),
        aCoachTurn({ text: 'c' }),
      ];
      const sessions: string[] = [];
      // Changes are sent one after another, because a device's changes have an order.
      for (let count = 0; count < 3; count += 1)
        sessions.push(
          await store(
            device,
            turns.map((turn) => ({ ...turn, turnId: TurnId.parse(randomUUID()) })),
          ),
        );
      const before = await stored(device, sessions[0] ?? '');
      expect(await move()).toBe(3);
      for (const sessionId of sessions) expect(await turnRows(device, sessionId)).toHaveLength(3);
      expect(await stored(device, sessions[0] ?? '')).toEqual(before);
      const { userVersion } = await device.push();
      expect(await move()).toBe(0);
      expect((await device.push()).userVersion).toBe(userVersion);
    });

    it('is split when an older server stored it while a turn was pending', async () => {
      const device = await registerDevice(home.server);
      const { sessionId, interactionId } = await begin(device);
      const [a, b] = [aCoachTurn({ text: 'a' }), aLearnerTurn({ text: 'b' })];
      await device.push(...say(device, [a], { sessionId, interactionId }));
      const list = JSON.stringify([b]);
      await home.server.database.db.execute(
        sql`update practice_history set entire_conversation = ${list}::jsonb where id = ${sessionId}`,
      );
      expect(texts(await stored(device, sessionId)).toSorted()).toEqual(['a', 'b']);
      expect(await turnRows(device, sessionId)).toHaveLength(2);
    });

    it('stays complete when a turn is added before the migration', async () => {
      const device = await registerDevice(home.server);
      const turns = [aCoachTurn({ text: 'a' }), aLearnerTurn({ text: 'b' })];
      const sessionId = await store(device, turns);
      const interaction = interactionChange(home.server, device, sessionId);
      const added = turnChange(device, aLearnerTurn({ text: 'c' }), {
        sessionId,
        interactionId: interaction.rowId,
        previousTurnId: turns[1]?.turnId ?? null,
      });
      const { outcomes, rows } = await device.push(interaction, added);
      expect(outcomes).toMatchObject([{ status: 'applied' }, { status: 'applied' }]);
      expect(rows.flatMap(({ table, rows: values }) => values.map(() => table))).toEqual([
        'user_course_interaction',
        'ai_conversations',
        'ai_conversations',
        'practice_history',
      ]);
      expect(texts(await stored(device, sessionId))).toEqual(['a', 'b', 'c']);
      expect(await move()).toBe(0);
    });
  });
}
