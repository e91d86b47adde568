import { randomUUID } from 'node:crypto';
import { Conversation, MAX_TURNS_PER_SESSION, packAssessment, RecordingId, type Turn } from '@parley/domain';
import { sql } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import type { DatabaseConnection } from '../../db/client.ts';
import { setUpSyncFixture } from '../../../test-kit/sync/sync-fixture.ts';
import { rowOf } from '../../../test-kit/sync/rows.ts';
import { beginSession, conversationOf, textsOf, turnChanges, turnRowsOf } from '../../../test-kit/sync/sessions.ts';
import { joinDevice, registerDevice } from '../../../test-kit/server.ts';
import { rowsOf, LocalCopy } from '../../../test-kit/sync/sync-stream.ts';
import {
  aCoachTurn,
  aLearnerTurn,
  anAssessmentOf17Seconds,
  conversationChanges,
  turnChange,
} from '../../../test-kit/sync/turns.ts';

/** The size limit for a turn of 17 s: its envelope, 45 words, 165 sounds and 17 s of pitch. */
const MAX_TURN_CHANGE_BYTES = 2_900;

export function turnsSuite(open: () => Promise<DatabaseConnection>): void {
  const home = setUpSyncFixture(open);

  describe('two devices in one session', () => {
    it('keep both continuations and the session’s end', async () => {
      const { laptop, phone } = home;
      const { sessionId, interactionId } = await beginSession(home, laptop);
      const first = aCoachTurn();
      await laptop.push(...turnChanges(laptop, [first], { sessionId, interactionId }));
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
        ...turnChanges(laptop, ten, { sessionId, interactionId, after: first.turnId }),
        laptop.change({ table: 'practice_history', rowId: sessionId, fields: { ...end, ...rest } }),
      );
      home.server.advanceClock(60_000);
      const failed = { ...end, ...rest, status: 'failed_to_generate_score', score: null, summary: null };
      await phone.push(
        ...turnChanges(phone, [one], { sessionId, interactionId, after: first.turnId }),
        phone.change({ table: 'practice_history', rowId: sessionId, fields: failed }),
      );
      const turns = await conversationOf(laptop, sessionId);
      expect(textsOf(turns)).toEqual([first.text, ...textsOf(ten), 'one']);
      expect(turns.at(-1)).toMatchObject({ continuation: 1 });
      expect(turns.at(-2)).not.toHaveProperty('continuation');
      expect(await rowOf(laptop, sessionId)).toMatchObject({ status: 'completed', score: 91, summary: 'Well done.' });
      expect(await turnRowsOf(phone, sessionId)).toHaveLength(12);
    });

    it('show a device of protocol 2 the other’s turns, and vice versa', async () => {
      const { laptop, phone } = home;
      const { sessionId, interactionId } = await beginSession(home, laptop);
      const [a, b, c] = [aCoachTurn({ text: 'a' }), aLearnerTurn({ text: 'b' }), aLearnerTurn({ text: 'c' })];
      await laptop.push(...turnChanges(laptop, [a, b], { sessionId, interactionId }));
      const seen = (await phone.pullV2()).find(({ fields }) => fields['id'] === sessionId)?.fields;
      expect(textsOf(Conversation.parse(seen?.['entireConversation']))).toEqual(['a', 'b']);
      expect(seen?.['syncVersion']).toBe((await rowOf(laptop, sessionId))?.['syncVersion']);
      const pushed = await phone.pushV2(
        ...conversationChanges(phone, [a, b, c], { sessionId, interactionId, since: 2 }),
      );
      expect(pushed.outcomes.map(({ status }) => status)).toEqual(['applied', 'applied']);
      expect(pushed.rows).toEqual([]);
      const rows = await turnRowsOf(laptop, sessionId);
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
      const { sessionId, interactionId } = await beginSession(home, laptop);
      const [a, b, c, d] = [aCoachTurn({ text: 'a' }), ...['b', 'c', 'd'].map((text) => aLearnerTurn({ text }))] as [
        Turn,
        Turn,
        Turn,
        Turn,
      ];
      await laptop.push(...turnChanges(laptop, [a, b, c], { sessionId, interactionId }));
      const pushed = await phone.pushV2(
        ...conversationChanges(phone, [a, b, d], { sessionId, interactionId, since: 2 }),
      );
      expect(pushed.outcomes.map(({ status }) => status)).toEqual(['merged', 'applied']);
      const [row] = pushed.rows.flatMap(({ table, fields, rows }) =>
        table === 'practice_history' ? rows.map((values) => values[fields.indexOf('entireConversation')]) : [],
      );
      expect(textsOf(Conversation.parse(row)).toSorted()).toEqual(['a', 'b', 'c', 'd']);
      // Both continuations are still separate after they were sent back as one list.
      const again = await phone.pushV2(
        ...conversationChanges(phone, await conversationOf(laptop, sessionId), { sessionId, interactionId, since: 4 }),
      );
      expect(again.outcomes).toMatchObject([{ status: 'applied' }]);
      const follows = new Map(
        (await turnRowsOf(laptop, sessionId)).map(({ fields }) => [fields['content'], fields['previousTurnId']]),
      );
      expect([follows.get('c'), follows.get('d')]).toEqual([b.turnId, b.turnId]);
    });
  });

  describe('a turn', () => {
    it('is completed by a late transcript and assessment, then stays unchanged', async () => {
      const { laptop, phone } = home;
      const { sessionId, interactionId } = await beginSession(home, laptop);
      const turn = aLearnerTurn({ text: '', recordingId: RecordingId.parse(randomUUID()) });
      await laptop.push(...turnChanges(laptop, [turn], { sessionId, interactionId }));
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
      const [kept] = await conversationOf(laptop, sessionId);
      expect(kept).toMatchObject({ text: 'What I said.', assessment: { durationMs: 17_000 } });
    });

    it('is part of its learner’s export, with its assessment alone and without it within its session', async () => {
      const { server } = home;
      const device = await registerDevice(server);
      const { sessionId, interactionId } = await beginSession(home, device);
      const answer = aLearnerTurn({ text: 'answered', assessment: anAssessmentOf17Seconds() });
      await device.push(...turnChanges(device, [aCoachTurn({ text: 'said' }), answer], { sessionId, interactionId }));
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

    it('returns its session’s row with the new version', async () => {
      const { laptop } = home;
      const { sessionId, interactionId } = await beginSession(home, laptop);
      const { outcomes, rows, userVersion } = await laptop.push(
        ...turnChanges(laptop, [aCoachTurn()], { sessionId, interactionId }),
      );
      expect(outcomes).toMatchObject([{ status: 'applied' }]);
      expect(rows.map(({ table }) => table)).toEqual(['practice_history']);
      expect(rows[0]?.rows[0]?.[rows[0].fields.indexOf('syncVersion')]).toBe(userVersion);
      expect(rows[0]?.fields).not.toContain('entireConversation');
      // A change that does not affect the conversation does not touch the session.
      const [turn] = await turnRowsOf(laptop, sessionId);
      const again = laptop.change({
        table: 'ai_conversations',
        rowId: String(turn?.fields['conversationId']),
        fields: { hintLevel: 0 },
      });
      expect((await laptop.push(again)).rows.map(({ table }) => table)).not.toContain('practice_history');
    });

    it('is rejected beyond the limit of its session', async () => {
      const device = await registerDevice(home.server);
      const { sessionId, interactionId } = await beginSession(home, device);
      await home.server.database.db.execute(sql`
        insert into ai_conversations (conversation_id, interaction_id, user_id, content, role, session_id, said_at,
          created_at, updated_at, sync_version)
        select gen_random_uuid(), ${interactionId}, ${device.userId}, 'x', 'learner', ${sessionId}, now(), now(), now(), 1
        from generate_series(1, ${MAX_TURNS_PER_SESSION - 1})`);
      const [last, more] = [aLearnerTurn({ text: 'last' }), aLearnerTurn({ text: 'one too many' })];
      const { outcomes } = await device.push(...turnChanges(device, [last, more], { sessionId, interactionId }));
      expect(outcomes).toMatchObject([{ status: 'applied' }, { status: 'rejected', code: 'limit_exceeded' }]);
      const words = device.change({ table: 'ai_conversations', rowId: last.turnId, fields: { hintLevel: 2 } });
      expect((await device.push(words)).outcomes).toMatchObject([{ status: 'applied' }]);
    });

    it('of another learner’s session is rejected', async () => {
      const { laptop, stranger } = home;
      const { sessionId } = await beginSession(home, laptop);
      const own = await beginSession(home, stranger);
      const [change] = turnChanges(stranger, [aLearnerTurn()], { sessionId, interactionId: own.interactionId });
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
      const { sessionId, interactionId } = await beginSession(home, device);
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
      expect(await conversationOf(device, sessionId)).toHaveLength(212);
    },
  );
}
