/** Changes that the server has refused, on a computer whose database is damaged afterwards. */
import { PLAN_TYPES, type PlanType } from '@parley/domain';
import { sql } from 'drizzle-orm';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createDevices, typeTurns, learnerTexts, sessionIdsOf } from '../../test-kit/devices.ts';
import { LATE_REPLY } from '../../test-kit/test-catalogue.ts';
import { startServer, type TestServer } from '../../test-kit/test-server.ts';
import { aClock, type OpenHost } from '../../test-kit/open-host.ts';
import { damageTable } from '../../test-kit/read-database.ts';

const ROOM_BYTES = 100_000_000;
const DAY_MS = 24 * 3_600_000;

const clock = aClock();
let server: TestServer;
let quotas: Record<PlanType, number>;
const devices = createDevices(() => ({ serverUrl: server.url, clock }));
const setQuota = (bytes: number): void => {
  for (const plan of PLAN_TYPES) quotas[plan] = bytes;
};
beforeEach(async () => {
  quotas = { FREE: 0, TRIALING: 0, PLUS: 0, PRO: 0 };
  setQuota(ROOM_BYTES);
  server = await startServer({ now: clock.now, storageQuotas: quotas });
});
afterEach(async () => {
  await devices.closeAll();
  await server.close();
});

/** Opens the host a day later, which makes the daily backup. */
async function reopenNextDay(one: OpenHost): Promise<OpenHost> {
  clock.pass(DAY_MS + 1);
  return devices.reopen(one);
}

async function reopenDamaged(one: OpenHost): Promise<OpenHost> {
  await devices.close(one);
  damageTable(one.dataDir, 'practice_history');
  const restored = await devices.open({ dataDir: one.dataDir });
  await restored.ask.sync.run();
  return restored;
}

const codesOf = async ({ ask }: OpenHost): Promise<string[]> => [
  ...new Set((await ask.sync.rejected()).map(({ code }) => code)),
];
/** The tables whose rows are listed; several changes of one row become one when they are sent again. */
const tablesOf = async ({ ask }: OpenHost): Promise<string[]> =>
  [...new Set((await ask.sync.rejected()).map(({ table }) => table))].toSorted();
const sessionsOnServer = async (): Promise<unknown[]> =>
  (await server.read(sql`select id from practice_history where deleted_at is null order by id`)).map(({ id }) => id);

it.each(['waited', 'did not exist'])(
  'refused changes that %s at the backup are listed, and arrive when there is room',
  async (state) => {
    const first = await devices.open();
    await first.ask.sync.run();
    server.fail = 'sync.offline';
    const before = state === 'waited' ? await typeTurns(first, LATE_REPLY) : null;
    const backedUp = await reopenNextDay(first);
    setQuota(0);
    server.fail = null;
    const sessionId = before ?? (await typeTurns(backedUp, LATE_REPLY));
    await backedUp.ask.sync.run();
    expect(await codesOf(backedUp)).toEqual(['storage_full']);
    const refused = await tablesOf(backedUp);

    const restored = await reopenDamaged(backedUp);
    expect((await restored.ask.app.about()).restoredFrom).not.toBeNull();
    expect(await codesOf(restored)).toEqual(['storage_full']);
    expect(await tablesOf(restored)).toEqual(refused);
    expect(await sessionIdsOf(restored)).toEqual([sessionId]);
    expect(await learnerTexts(restored, sessionId)).toEqual([LATE_REPLY]);
    expect(await sessionsOnServer()).toEqual([]);

    setQuota(ROOM_BYTES);
    const later = await devices.reopen(restored);
    expect(await later.ask.sync.run()).toMatchObject({ state: 'idle', waiting: 0, rejected: 0 });
    const two = await devices.openJoined(later);
    expect(await sessionIdsOf(two)).toEqual([sessionId]);
    expect(await learnerTexts(two, sessionId)).toEqual([LATE_REPLY]);
  },
);

it('refused changes are kept when there is no backup', async () => {
  const one = await devices.open();
  await one.ask.sync.run();
  setQuota(0);
  const sessionId = await typeTurns(one, LATE_REPLY);
  await one.ask.sync.run();
  rmSync(join(one.dataDir, 'backups'), { recursive: true });
  const restored = await reopenDamaged(one);
  expect(await codesOf(restored)).toEqual(['storage_full']);
  setQuota(ROOM_BYTES);
  const later = await devices.reopen(restored);
  expect(await later.ask.sync.run()).toMatchObject({ state: 'idle', waiting: 0, rejected: 0 });
  expect(await learnerTexts(later, sessionId)).toEqual([LATE_REPLY]);
  expect(await sessionsOnServer()).toEqual([sessionId]);
});

it('refused changes that the learner has discarded since the backup are not sent', async () => {
  const first = await devices.open();
  await first.ask.sync.run();
  setQuota(0);
  const sessionId = await typeTurns(first, LATE_REPLY);
  await first.ask.sync.run();
  const backedUp = await reopenNextDay(first);
  expect(await codesOf(backedUp)).toEqual(['storage_full']);
  await backedUp.ask.practice.discard({ sessionId });
  await backedUp.ask.sync.run();
  setQuota(ROOM_BYTES);
  await backedUp.ask.sync.run();
  const restored = await reopenDamaged(backedUp);
  expect((await restored.ask.app.about()).restoredFrom).not.toBeNull();
  expect(await restored.ask.sync.run()).toMatchObject({ state: 'idle', waiting: 0, rejected: 0 });
  expect(await sessionsOnServer()).toEqual([]);
  expect((await server.read(sql`select content from ai_conversations`)).length).toBe(0);
});

it('refused changes do not undo later ones', async () => {
  const first = await devices.open();
  await first.ask.settings.updateProfile({ jobTitle: 'Planner' });
  await first.ask.sync.run();
  const backedUp = await reopenNextDay(first);
  setQuota(0);
  await backedUp.ask.settings.updateProfile({ jobTitle: 'Planner of production and of all deliveries' });
  await backedUp.ask.sync.run();
  clock.pass(60_000);
  await backedUp.ask.settings.updateProfile({ jobTitle: 'Nurse' });
  expect(await backedUp.ask.sync.run()).toMatchObject({ waiting: 0, rejected: 1 });
  setQuota(ROOM_BYTES);
  const restored = await reopenDamaged(backedUp);
  expect(await restored.ask.sync.run()).toMatchObject({ state: 'idle', waiting: 0, rejected: 0 });
  expect((await restored.ask.settings.read()).profile.jobTitle).toBe('Nurse');
  expect(await server.read(sql`select job_title from users`)).toEqual([{ job_title: 'Nurse' }]);
});
