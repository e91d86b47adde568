/** Conversations in one field of their session, sent by an app of protocol 2 or stored by an older server. */
import { randomUUID } from 'node:crypto';
import { sessionInteractionId, type Turn, TurnId } from '@parley/domain';
import { sql } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import type { DatabaseConnection } from '../../db/client.ts';
import { setUpSyncFixture } from '../../../test-kit/sync/sync-fixture.ts';
import { pushSession } from '../../../test-kit/sync/rows.ts';
import { beginSession, conversationOf, textsOf, turnChanges, turnRowsOf } from '../../../test-kit/sync/sessions.ts';
import { registerDevice, type TestDevice } from '../../../test-kit/server.ts';
import {
  aCoachTurn,
  aLearnerTurn,
  anAssessmentOf17Seconds,
  conversationChanges,
  interactionChange,
  turnChange,
} from '../../../test-kit/sync/turns.ts';
import { migrateTurns } from './migrate-turns.ts';

export function conversationsInOneFieldSuite(open: () => Promise<DatabaseConnection>): void {
  const home = setUpSyncFixture(open);

  describe('a session sent in one field', () => {
    it('without turn rows attaches its turns to an existing or new interaction', async () => {
      const { server } = home;
      const device = await registerDevice(server);
      const { sessionId, interactionId } = await beginSession(home, device);
      const turns = [aCoachTurn(), aLearnerTurn()];
      await device.pushV2(...conversationChanges(device, turns, { sessionId, interactionId, since: 2 }));
      expect((await turnRowsOf(device, sessionId)).map(({ fields }) => fields['interactionId'])).toEqual([
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
      const theirs = await beginSession(home, laptop);
      const turn = aLearnerTurn({ text: 'in confidence' });
      await laptop.push(...turnChanges(laptop, [turn], theirs));
      const own = await beginSession(home, stranger);
      const changes = conversationChanges(stranger, [{ ...turn, text: 'taken' }], { ...own, since: 1 });
      expect((await stranger.pushV2(...changes)).outcomes).toMatchObject([{ status: 'rejected', code: 'not_yours' }]);
      expect(textsOf(await conversationOf(laptop, theirs.sessionId))).toEqual(['in confidence']);
      expect(await conversationOf(stranger, own.sessionId)).toEqual([]);
    });

    it('leaves a turn deleted that its device deleted after it, in the same push', async () => {
      const { laptop, phone } = home;
      const { sessionId, interactionId } = await beginSession(home, laptop);
      const [known, kept, removed] = ['a', 'b', 'c'].map((text) => aLearnerTurn({ text })) as [Turn, Turn, Turn];
      await phone.pushV2(...conversationChanges(phone, [known], { sessionId, interactionId }));
      const remove = (turn: Turn) => phone.change({ table: 'ai_conversations', rowId: turn.turnId, op: 'delete' });
      const { outcomes } = await phone.pushV2(
        ...conversationChanges(phone, [known, kept, removed], { sessionId, interactionId, since: 1 }),
        remove(removed),
        remove(known),
      );
      expect(outcomes.map(({ status }) => status)).not.toContain('rejected');
      expect(textsOf(await conversationOf(laptop, sessionId))).toEqual(['b']);
      // A list that is sent after a deletion brings the turn back.
      await phone.pushV2(...conversationChanges(phone, [known, kept], { sessionId, interactionId, since: 2 }));
      expect(textsOf(await conversationOf(laptop, sessionId)).toSorted()).toEqual(['a', 'b']);
    });

    it('is split into turns even if it was queued before protocol 3', async () => {
      const { laptop } = home;
      const { sessionId, interactionId } = await beginSession(home, laptop);
      const turns = [aCoachTurn({ text: 'a' }), aLearnerTurn({ text: 'b' })];
      const { outcomes, rows } = await laptop.push(...conversationChanges(laptop, turns, { sessionId, interactionId }));
      // The turn rows now contain more than the device sent.
      expect(outcomes.map(({ status }) => status)).toEqual(['applied', 'merged', 'merged']);
      expect(rows.map(({ table }) => table)).toEqual(['ai_conversations']);
      expect(textsOf(await conversationOf(laptop, sessionId))).toEqual(['a', 'b']);
    });
  });

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
      const before = await conversationOf(device, sessions[0] ?? '');
      expect(await move()).toBe(3);
      for (const sessionId of sessions) expect(await turnRowsOf(device, sessionId)).toHaveLength(3);
      expect(await conversationOf(device, sessions[0] ?? '')).toEqual(before);
      const { userVersion } = await device.push();
      expect(await move()).toBe(0);
      expect((await device.push()).userVersion).toBe(userVersion);
    });

    it('is part of the export before it is migrated', async () => {
      const { server } = home;
      const device = await registerDevice(server);
      const { sessionId } = await beginSession(home, device);
      const unsplit = JSON.stringify([aLearnerTurn({ text: 'of an older server' })]);
      await server.database.db.execute(
        sql`update practice_history set entire_conversation = ${unsplit}::jsonb where id = ${sessionId}`,
      );
      const headers = { authorization: `Bearer ${device.token}` };
      const { body } = await server.send({ method: 'GET', url: '/v1/account/export', headers });
      expect(body).toMatchObject({ practice_history: [{ entireConversation: [{ text: 'of an older server' }] }] });
      await migrateTurns({ db: server.database.db, now: server.now, onChanged: () => undefined });
    });

    it('is split when an older server stored it while a turn was pending', async () => {
      const device = await registerDevice(home.server);
      const { sessionId, interactionId } = await beginSession(home, device);
      const [a, b] = [aCoachTurn({ text: 'a' }), aLearnerTurn({ text: 'b' })];
      await device.push(...turnChanges(device, [a], { sessionId, interactionId }));
      const list = JSON.stringify([b]);
      await home.server.database.db.execute(
        sql`update practice_history set entire_conversation = ${list}::jsonb where id = ${sessionId}`,
      );
      expect(textsOf(await conversationOf(device, sessionId)).toSorted()).toEqual(['a', 'b']);
      expect(await turnRowsOf(device, sessionId)).toHaveLength(2);
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
      expect(textsOf(await conversationOf(device, sessionId))).toEqual(['a', 'b', 'c']);
      expect(await move()).toBe(0);
    });
  });
}
