import { randomUUID } from 'node:crypto';
import type { Mutation, PushResponse } from '@parley/contract';
import { sql } from 'drizzle-orm';
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import type { DatabaseConnection } from '../../db/client.ts';
import { setUpSyncFixture } from '../../../test-kit/sync/sync-fixture.ts';
import { rowOf, sessionFields, setSummary } from '../../../test-kit/sync/rows.ts';
import { joinDevice, registerDevice, type TestDevice } from '../../../test-kit/server.ts';

const LEARNERS = 24;

interface Practising {
  device: TestDevice;
  sessionId: string;
  interactionId: string;
}

export function pushGroupsSuite(open: () => Promise<DatabaseConnection>): void {
  const home = setUpSyncFixture(open);
  const learners: Practising[] = [];

  const sessionOf = ({ device, sessionId }: Practising): Mutation =>
    device.change({
      table: 'practice_history',
      rowId: sessionId,
      fields: sessionFields(home.ids, device.userId),
    });

  const interactionOf = ({ device, sessionId, interactionId }: Practising): Mutation =>
    device.change({
      table: 'user_course_interaction',
      rowId: interactionId,
      fields: {
        userId: device.userId,
        courseId: null,
        interactionType: 'practice',
        timestamp: home.server.now().toISOString(),
        details: { sessionId, practiceId: null, videoId: null, courseSectionId: null },
      },
    });

  function turnOf({ device, sessionId, interactionId }: Practising, content = 'We are late.'): Mutation {
    const saidAt = home.server.now().toISOString();
    return device.change({
      table: 'ai_conversations',
      rowId: randomUUID(),
      fields: {
        userId: device.userId,
        courseId: null,
        interactionId,
        sessionId,
        previousTurnId: null,
        content,
        role: 'learner',
        saidAt,
        mode: 'typed',
      },
    });
  }

  async function begin(device: TestDevice): Promise<Practising> {
    const practising = { device, sessionId: randomUUID(), interactionId: randomUUID() };
    await device.push(sessionOf(practising), interactionOf(practising));
    return practising;
  }

  /** Counts the transactions while pushes are sent at the same moment. */
  async function pushTogether(pushes: readonly (() => Promise<PushResponse>)[]) {
    const transactions = vi.spyOn(home.server.database.db, 'transaction');
    const results = await Promise.allSettled(pushes.map((send) => send()));
    return { results, transactions: transactions.mock.calls.length };
  }

  const countGroupFailures = (): number => home.server.log().split('push_group_failed').length - 1;

  const storedTurns = async ({ device, sessionId }: Practising): Promise<Record<string, unknown>[]> =>
    (await device.pull())
      .filter(({ table, fields }) => table === 'ai_conversations' && fields['sessionId'] === sessionId)
      .map(({ fields }) => fields);

  beforeAll(async () => {
    for (let count = 0; count < LEARNERS; count += 1) learners.push(await begin(await registerDevice(home.server)));
  });
  afterEach(() => vi.restoreAllMocks());

  describe('pushes of different learners at the same moment', () => {
    it('share transactions, and each gets its own answer', async () => {
      const turns = learners.map((learner, index) => turnOf(learner, `Turn of learner ${index}`));
      const sent = learners.map(
        ({ device }, index) =>
          () =>
            device.push(...turns.slice(index, index + 1)),
      );
      const { results, transactions } = await pushTogether(sent);
      // An embedded database does one thing at a time, so pushes reach it one by one.
      if (home.server.database.pool !== null) expect(transactions).toBeLessThan(LEARNERS * 0.75);
      for (const [index, learner] of learners.entries()) {
        const result = results[index];
        if (result?.status !== 'fulfilled') throw new Error(`push ${index} failed`, { cause: result?.reason });
        const { outcomes, lastSeq, userVersion, previousVersion, rows } = result.value;
        expect(outcomes).toEqual([expect.objectContaining({ id: turns[index]?.id, status: 'applied' })]);
        expect(lastSeq).toBe(turns[index]?.deviceSeq);
        expect(userVersion).toBe(previousVersion + 1);
        expect(await storedTurns(learner)).toMatchObject([{ content: `Turn of learner ${index}` }]);
        // The response contains the session as a stream does, which reads it from the database.
        const { pages } = await learner.device.stream();
        const streamed = pages.flatMap(({ tables }) => tables).find(({ table }) => table === 'practice_history');
        expect(rows).toEqual([streamed]);
      }
    });

    it('share transactions also when each is a spoken answer with its words', async () => {
      const before = await Promise.all(learners.map(storedTurns));
      const answers = learners.map((learner) =>
        Array.from({ length: 12 }, (_, part) => turnOf(learner, `Part ${part}`)),
      );
      const { results, transactions } = await pushTogether(
        learners.map(
          ({ device }, index) =>
            () =>
              device.push(...(answers[index] ?? [])),
        ),
      );
      if (home.server.database.pool !== null) expect(transactions).toBeLessThan(LEARNERS * 0.75);
      for (const result of results) expect(result.status).toBe('fulfilled');
      const after = await Promise.all(learners.map(storedTurns));
      expect(after.map(({ length }, index) => length - (before[index]?.length ?? 0))).toEqual(learners.map(() => 12));
    });

    it('keep the last change when older changes are sent again', async () => {
      const base = home.server.now().getTime();
      const older = learners.map(({ device, sessionId }) => setSummary(device, sessionId, 'older', base + 1));
      const newer = learners.map(({ device, sessionId }) => setSummary(device, sessionId, 'newer', base + 2));
      const pushEach = async (changes: readonly Mutation[]): Promise<void> => {
        const sent = learners.map(
          ({ device }, index) =>
            () =>
              device.push(...changes.slice(index, index + 1)),
        );
        for (const { status } of (await pushTogether(sent)).results) expect(status).toBe('fulfilled');
      };
      await pushEach(older);
      await pushEach(newer);
      await pushEach(older.map((change, index) => ({ ...change, deviceSeq: (newer[index]?.deviceSeq ?? 0) + 1 })));
      for (const { device, sessionId } of learners)
        expect(await rowOf(device, sessionId)).toMatchObject({ summary: 'newer' });
      // Their sequence numbers continue after those used here.
      for (const { device, sessionId } of learners) setSummary(device, sessionId, '');
    });

    it('are applied once when they are repeated', async () => {
      const turns = learners.map((learner) => turnOf(learner));
      const sendAll = () =>
        pushTogether(
          learners.map(
            ({ device }, index) =>
              () =>
                device.push(...turns.slice(index, index + 1)),
          ),
        );
      const before = await Promise.all(learners.map(storedTurns));
      await sendAll();
      const { results } = await sendAll();
      for (const result of results) expect(result).toMatchObject({ value: { outcomes: [{ status: 'duplicate' }] } });
      const after = await Promise.all(learners.map(storedTurns));
      expect(after.map(({ length }) => length)).toEqual(before.map(({ length }) => length + 1));
    });

    it('do not fail with the push of a device that skips a change or was refused before', async () => {
      const [skipping, refused, ...others] = await Promise.all(
        Array.from({ length: 10 }, async () => begin(await registerDevice(home.server))),
      );
      if (skipping === undefined || refused === undefined) throw new Error('there are ten');
      turnOf(skipping);
      const foreign = { ...turnOf(refused), rowId: others[0]?.sessionId ?? '', table: 'practice_history' };
      const { results } = await pushTogether([
        ...others.map((learner) => () => learner.device.push(turnOf(learner))),
        () => skipping.device.push(turnOf(skipping)),
        () => refused.device.push(foreign),
      ]);
      const ofSkipping = results.at(-2);
      expect(String(ofSkipping?.status === 'rejected' ? ofSkipping.reason : 'applied')).toContain('sync.resync');
      expect(results.at(-1)).toMatchObject({ value: { outcomes: [{ status: 'rejected', code: 'not_yours' }] } });
      for (const result of results.slice(0, others.length))
        expect(result).toMatchObject({ value: { outcomes: [{ status: 'applied' }] } });
      for (const learner of others) expect(await storedTurns(learner)).toHaveLength(1);
    });

    it('do not fail with a change that only the database refuses', async () => {
      await home.server.database.db.execute(
        sql`alter table ai_conversations add constraint for_the_test check (content <> 'only the database refuses')`,
      );
      const before = await Promise.all(learners.map(storedTurns));
      const { results } = await pushTogether(
        learners.map(
          (learner, index) => () =>
            learner.device.push(turnOf(learner, index === 7 ? 'only the database refuses' : 'fine')),
        ),
      );
      for (const [index, result] of results.entries())
        expect(result).toMatchObject({
          value: { outcomes: [{ status: index === 7 ? 'rejected' : 'applied' }] },
        });
      const after = await Promise.all(learners.map(storedTurns));
      expect(after.map(({ length }, index) => length - (before[index]?.length ?? 0))).toEqual(
        learners.map((_learner, index) => (index === 7 ? 0 : 1)),
      );
    });

    it('fail together only once when two learners create the same row', async () => {
      const [first, second, ...others] = learners;
      if (first === undefined || second === undefined) throw new Error('there are learners');
      const ofStrangers = (rowId: string) => [first, second].map((learner) => ({ ...turnOf(learner), rowId }));
      const before = countGroupFailures();
      for (const round of [1, 2]) {
        const [one, other] = ofStrangers(randomUUID());
        if (one === undefined || other === undefined) throw new Error('there are two');
        const { results } = await pushTogether([
          ...others.map((learner) => () => learner.device.push(turnOf(learner))),
          () => first.device.push(one),
          () => second.device.push(other),
        ]);
        for (const result of results.slice(0, others.length))
          expect(result).toMatchObject({ value: { outcomes: [{ status: 'applied' }] } });
        const statuses = results.slice(-2).map((result) => {
          if (result.status === 'rejected') throw result.reason;
          return result.value.outcomes[0]?.status;
        });
        expect(statuses.toSorted()).toEqual(['applied', 'rejected']);
        expect(countGroupFailures(), `in round ${round}`).toBeLessThanOrEqual(before + 1);
      }
    });

    it('of two devices of one learner get one version after the other', async () => {
      const [first, ...others] = learners;
      if (first === undefined) throw new Error('there are learners');
      const phone = await joinDevice(home.server, first.device);
      const { results } = await pushTogether([
        ...others.map((learner) => () => learner.device.push(turnOf(learner))),
        () => first.device.push(turnOf(first, 'from the laptop')),
        () => phone.push(turnOf({ ...first, device: phone }, 'from the phone')),
      ]);
      const [laptop, other] = results.slice(-2).map((result) => {
        if (result.status === 'rejected') throw result.reason;
        return result.value;
      });
      expect(Math.abs((laptop?.userVersion ?? 0) - (other?.userVersion ?? 0))).toBe(1);
      expect((await storedTurns(first)).map(({ content }) => content)).toEqual(
        expect.arrayContaining(['from the laptop', 'from the phone']),
      );
    });
  });

  it('does not keep others waiting for a learner whose rows are locked', async (context) => {
    // An embedded database runs one transaction at a time.
    if (home.server.database.pool === null) return context.skip('PGlite has one connection');
    const [locked, ...others] = learners;
    if (locked === undefined) throw new Error('there are learners');
    const isLocked = Promise.withResolvers<void>();
    const release = Promise.withResolvers<void>();
    const holding = home.server.database.db.transaction(async (tx) => {
      await tx.execute(sql`select from sync_scopes where scope = ${`user:${locked.device.userId}`} for update`);
      isLocked.resolve();
      await release.promise;
    });
    await isLocked.promise;
    let isAnswered = false;
    const waiting = locked.device.push(turnOf(locked)).finally(() => {
      isAnswered = true;
    });
    for (let round = 0; round < 3; round += 1) {
      const { results } = await pushTogether(others.map((learner) => () => learner.device.push(turnOf(learner))));
      expect(results.every(({ status }) => status === 'fulfilled')).toBe(true);
    }
    expect(isAnswered).toBe(false);
    release.resolve();
    await holding;
    expect((await waiting).outcomes).toMatchObject([{ status: 'applied' }]);
  });
}
