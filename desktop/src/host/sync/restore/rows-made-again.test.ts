/** Rows that a device deletes and recreates under the same id, while the server has forgotten them. */
import { CourseId } from '@parley/domain';
import { sql } from 'drizzle-orm';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createDevices, untilSynced, userIdOf } from '../../test-kit/devices.ts';
import { LATE_DELIVERY, LATE_REPLY, testId } from '../../test-kit/test-catalogue.ts';
import { startServer, type TestServer } from '../../test-kit/test-server.ts';
import { aClock, type OpenHost } from '../../test-kit/open-host.ts';
import { inDatabase } from '../../test-kit/read-database.ts';

const HOUR_MS = 3_600_000;
const COURSE = { courseId: CourseId.parse(testId(51)) };

let clock = aClock();
let server: TestServer;
const devices = createDevices(() => ({ serverUrl: server.url, clock }));
beforeAll(async () => {
  server = await startServer({ now: () => clock.now() });
});
beforeEach(() => {
  clock = aClock();
  server.fail = null;
});
afterEach(() => devices.closeAll());
afterAll(() => server.close());

/** Returns when the device's only row of the table was created, according to the device and to the server. */
async function creationTimes(device: OpenHost, table: 'enrollments' | 'practice_history'): Promise<unknown[]> {
  const here = inDatabase(device.dataDir, (sqlite) =>
    sqlite.prepare<[], number>(`SELECT created_at FROM ${table} WHERE deleted_at IS NULL`).pluck().all(),
  );
  const there = await server.read(
    sql`select extract(epoch from created_at) * 1000 as at from ${sql.identifier(table)}
      where user_id = ${userIdOf(device)} and deleted_at is null`,
  );
  return [here, there.map(({ at }) => Number(at))];
}

const renewEpoch = (): Promise<void> => server.execute(sql`update server_state set epoch = ${crypto.randomUUID()}`);

describe('a restored server that lost a row', () => {
  it('receives an enrolment as it was first made, although it was left and made again since', async () => {
    const one = await devices.open();
    const enrolledAt = clock.now().getTime();
    await one.ask.courses.enrol(COURSE);
    await untilSynced(one);
    await server.execute(sql`delete from enrollments where user_id = ${userIdOf(one)}`);
    await renewEpoch();
    server.fail = 'sync.offline';
    clock.pass(HOUR_MS);
    await one.ask.courses.leave(COURSE);
    await one.ask.courses.enrol(COURSE);
    server.fail = null;
    await untilSynced(one);
    expect(await creationTimes(one, 'enrollments')).toEqual([[enrolledAt], [enrolledAt]]);
  });

  it('receives an enrolment of another device together with that of this one', async () => {
    const one = await devices.open();
    const two = await devices.openJoined(one);
    await untilSynced(two);
    const enrolledAt = clock.now().getTime();
    await one.ask.courses.enrol(COURSE);
    await untilSynced(one);
    clock.pass(HOUR_MS);
    server.onPull = async () => {
      server.fail = 'sync.offline';
      await two.ask.courses.enrol(COURSE);
    };
    await two.ask.sync.run();
    await server.execute(sql`delete from enrollments where user_id = ${userIdOf(one)}`);
    await renewEpoch();
    server.fail = null;
    await untilSynced(two);
    expect(await creationTimes(two, 'enrollments')).toEqual([[enrolledAt], [enrolledAt]]);
  });

  it('receives a session with its turns, although it was deleted and brought back since', async () => {
    const one = await devices.open();
    const startedAt = clock.now().getTime();
    const start = { practiceId: LATE_DELIVERY, difficulty: 'easy', communicationStyle: 'text' } as const;
    const { sessionId } = await one.ask.practice.start(start);
    await one.ask.practice.sendTyped({ sessionId, text: LATE_REPLY, hintLevel: 0 });
    await one.ask.practice.finish({ sessionId });
    await untilSynced(one);
    await server.execute(sql`delete from ai_conversations where session_id = ${sessionId}`);
    await server.execute(sql`delete from feedback_details where user_id = ${userIdOf(one)}`);
    await server.execute(sql`delete from practice_history where id = ${sessionId}`);
    await renewEpoch();
    server.fail = 'sync.offline';
    clock.pass(HOUR_MS);
    await one.ask.history.remove({ sessionId });
    await one.ask.history.restore({ sessionId });
    server.fail = null;
    await untilSynced(one);
    expect(await creationTimes(one, 'practice_history')).toEqual([[startedAt], [startedAt]]);
    const two = await devices.openJoined(one);
    const { turns } = await two.ask.practice.session({ sessionId });
    expect(turns.filter(({ role }) => role === 'learner').map(({ text }) => text)).toEqual([LATE_REPLY]);
  });
});

describe('an enrolment whose deletion the server has purged', () => {
  it('is created again with its original time', async () => {
    const one = await devices.open();
    const enrolledAt = clock.now().getTime();
    await one.ask.courses.enrol(COURSE);
    await one.ask.courses.leave(COURSE);
    await untilSynced(one);
    await server.execute(sql`delete from enrollments where user_id = ${userIdOf(one)}`);
    clock.pass(HOUR_MS);
    await one.ask.courses.enrol(COURSE);
    await untilSynced(one);
    expect(await creationTimes(one, 'enrollments')).toEqual([[enrolledAt], [enrolledAt]]);
  });
});
