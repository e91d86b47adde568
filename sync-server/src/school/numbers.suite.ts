/** A school's numbers: its weeks, who practises and pays, and what AI costs. */
import { randomUUID } from 'node:crypto';
import { and, isNull, like, sql } from 'drizzle-orm';
import { beforeAll, beforeEach, expect, it } from 'vitest';
import type { DatabaseConnection } from '../db/client.ts';
import { aiUsage } from '../db/metering-tables.ts';
import { accountDeletions, tables } from '../db/tables.ts';
import { setUpSchool } from '../../test-kit/school/school-fixture.ts';
import { seedSchool } from '../../test-kit/school/seed-school.ts';
import { readNumbers } from './numbers.ts';

const MINUTE_MS = 60_000;

interface SessionValues {
  userId: string;
  score: number | null;
  duration: number;
  status: string;
  deletedAt?: string;
}

export function numbersSuite(open: () => Promise<DatabaseConnection>): void {
  const scene = setUpSchool(open);
  let [learner, silent] = ['', ''];
  beforeAll(async () => {
    const { db } = scene.server.database;
    await seedSchool(db, scene.server.now(), { learners: 2, practicesEach: 0, waiting: 0 });
    const seeded = await db.select().from(tables.users).where(like(tables.users.email, 'learner-%'));
    [learner = '', silent = ''] = seeded.map(({ userId }) => userId);
  });
  beforeEach(async () => {
    const { db } = scene.server.database;
    await db.delete(tables.practiceHistory);
    await db.delete(aiUsage);
    // Discards values cached by the previous test.
    scene.server.advanceClock(MINUTE_MS + 1);
  });

  const keepTimeOf = (timeZone: string) => scene.ask('save-settings', { timeZone });

  /** A session of the first practice in the catalogue. */
  const addSession = ({ createdAt, ...values }: SessionValues & { createdAt: string }) =>
    scene.server.database.db.execute(sql`
      insert into practice_history (id, practice_id, user_id, agent_id, score, entire_conversation, completed_objectives,
        duration, communication_style, status, difficulty, created_at, updated_at, deleted_at, sync_version)
      select ${randomUUID()}, practice_id, ${values.userId}, agent_id, ${values.score}::int, '[]', '[]', ${values.duration}::int,
        'audio', ${values.status}, 'easy', ${createdAt}::timestamptz, ${createdAt}::timestamptz,
        ${values.deletedAt ?? null}::timestamptz, 1
      from practices order by practice_id limit 1`);

  it('count each week separately in the school’s time zone', async () => {
    await keepTimeOf('Pacific/Auckland');
    // The clock is set to Wednesday 18 November 2026. In Auckland, Monday the 16th begins on Sunday at 11:00 UTC.
    const session = (createdAt: string, values: Omit<SessionValues, 'userId'> & { userId?: string }) =>
      addSession({ createdAt, userId: learner, ...values });
    await session('2026-11-15T10:59:00Z', { score: 40, duration: 88, status: 'completed' });
    await session('2026-11-15T11:01:00Z', { score: 80, duration: 120, status: 'completed' });
    await session('2026-11-16T12:00:00Z', { score: 90, duration: 180, status: 'completed' });
    // These learners said nothing, or have deleted what they said. Their app counts no minutes for it either.
    await session('2026-11-17T12:00:00Z', { score: null, duration: 60, status: 'in_progress' });
    await session('2026-11-17T13:00:00Z', { score: null, duration: 240, status: 'completed' });
    await session('2026-11-17T14:00:00Z', { score: null, duration: 240, status: 'completed', userId: silent });
    const deletedAt = '2026-11-17T16:00:00Z';
    const deleted = { score: 50, duration: 60, status: 'completed', userId: silent, deletedAt };
    await session('2026-11-17T15:00:00Z', deleted);
    const { body } = await scene.ask('numbers', { weeks: 4 });
    expect((body['weeks'] as unknown[]).slice(-2)).toMatchObject([
      { start: '2026-11-09', learners: 1, practices: 1, minutes: 2, score: 40 },
      { start: '2026-11-16', learners: 1, practices: 2, minutes: 5, score: 85 },
    ]);
    expect(body['conversion']).toMatchObject({ practised: 1, paying: 0 });
  });

  it('count what a device did before it moved into an account once', async () => {
    const { db } = scene.server.database;
    const session = { score: 80, duration: 60, status: 'completed', createdAt: '2026-11-17T12:00:00Z' };
    const requestedAt = scene.server.now();
    // The device has copied the session, and the account that it left waits for its erasure.
    await addSession({ ...session, userId: learner });
    await addSession({ ...session, userId: silent });
    await db.insert(accountDeletions).values({ userId: silent, requestedAt, eraseAt: requestedAt, leftFor: learner });
    const readThisWeek = async () => {
      scene.server.advanceClock(MINUTE_MS + 1);
      const { body } = await scene.ask('numbers', { weeks: 4 });
      const began = (body['courses'] as { began: number }[]).map((course) => course.began);
      return { ...(body['weeks'] as object[]).at(-1), began: Math.max(...began) };
    };
    expect(await readThisWeek()).toMatchObject({ learners: 1, practices: 1, minutes: 1, began: 1 });
    // Its own request to be erased does not make its practice disappear before the day.
    await db.update(accountDeletions).set({ leftFor: null });
    expect(await readThisWeek()).toMatchObject({ learners: 2, practices: 2, minutes: 2, began: 2 });
    await db.delete(accountDeletions);
  });

  it('count a learner of an open server as having access until it is revoked', async () => {
    const { db } = scene.server.database;
    const read = async (mustBeGranted: boolean) =>
      (await readNumbers(db, { weeks: 4, now: scene.server.now(), mustBeGranted })).conversion.withAccess;
    const [granted, open] = [await read(true), await read(false)];
    await seedSchool(db, scene.server.now(), { learners: 3, practicesEach: 0, waiting: 3 });
    expect([await read(true), await read(false)]).toEqual([granted, open + 3]);
    const isWaiting = and(isNull(tables.users.accessDate), like(tables.users.email, 'learner-1-%'));
    await db.update(tables.users).set({ accessDate: scene.server.now() }).where(isWaiting);
    expect(await read(false)).toBeLessThan(open + 3);
  });

  it('sum the cost of AI by day and model', async () => {
    const { db } = scene.server.database;
    await keepTimeOf('Pacific/Auckland');
    const usage = (model: string, costMicros: number, at = scene.server.now()) =>
      db.insert(aiUsage).values({
        id: randomUUID(),
        userId: null,
        use: 'reply',
        style: 'turn_based',
        costMicros,
        model,
        localDay: '2026-11-18',
        at,
      });
    await usage('large', 2_000);
    await usage('large', 3_000);
    await usage('small', 10);
    await usage('own', 0);
    const { body } = await scene.ask('numbers', { weeks: 4 });
    expect(body['cost']).toMatchObject([
      { model: 'large', calls: 2, costMicros: 5_000 },
      { model: 'small', calls: 1, costMicros: 10 },
    ]);
    scene.server.advanceClock(MINUTE_MS + 1);
    // In Auckland, which has summer time on both days, 20 October 2026 begins at 11:00 UTC and is the first of 30 days.
    await usage('small', 5, new Date('2026-10-19T10:59:00Z'));
    await usage('small', 30, new Date('2026-10-19T11:01:00Z'));
    await usage('small', 40, new Date('2026-10-20T10:59:00Z'));
    expect(((await scene.ask('numbers', { weeks: 4 })).body['cost'] as unknown[]).slice(2)).toEqual([
      { day: '2026-10-20', model: 'small', calls: 2, costMicros: 70 },
    ]);
    const days = (await scene.ask('numbers', { weeks: 4 })).body['costByDay'] as {
      day: string;
      costMicros: number;
    }[];
    expect(days).toHaveLength(30);
    expect([days[0], days[1], days.at(-1)]).toEqual([
      { day: '2026-10-20', costMicros: 70 },
      { day: '2026-10-21', costMicros: 0 },
      { day: '2026-11-18', costMicros: 5_010 },
    ]);
  });

  it('are kept for a minute, until an admin changes something', async () => {
    const read = async (): Promise<number[]> => {
      const [{ body: numbers }, { body: home }] = [
        await scene.ask('numbers', { weeks: 4 }),
        await scene.ask('home', {}),
      ];
      const minutesOf = (weeks: unknown): number => (weeks as { minutes: number }[]).at(-1)?.minutes ?? 0;
      return [minutesOf(numbers['weeks']), minutesOf(home['weeks'])];
    };
    const createdAt = scene.server.now().toISOString();
    const talk = (minutes: number) =>
      addSession({ createdAt, userId: learner, score: 90, duration: minutes * 60, status: 'completed' });
    await talk(3);
    expect(await read()).toEqual([3, 3]);
    await talk(1);
    expect(await read()).toEqual([3, 3]);
    scene.server.advanceClock(MINUTE_MS + 1);
    expect(await read()).toEqual([4, 4]);
    scene.server.advanceClock(MINUTE_MS / 2);
    await talk(1);
    await scene.ask('create-class', { name: 'Evening class' });
    expect(await read()).toEqual([5, 5]);
  });
}
