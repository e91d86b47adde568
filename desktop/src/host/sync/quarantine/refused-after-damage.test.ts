/** Changes that the server has refused, on a computer whose database is damaged afterwards. */
import { LinkCode } from '@parley/contract';
import { PLAN_TYPES, type PlanType } from '@parley/domain';
import { sql } from 'drizzle-orm';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { LATE_DELIVERY, LATE_REPLY } from '../../test-kit/test-catalogue.ts';
import { startServer, type TestServer } from '../../test-kit/test-server.ts';
import { aClock, type OpenHost, openHost, removeDataFolders } from '../../test-kit/open-host.ts';
import { damageTable } from '../../test-kit/read-database.ts';

const ROOM_BYTES = 100_000_000;
const DAY_MS = 24 * 3_600_000;

const clock = aClock();
let server: TestServer;
let quotas: Record<PlanType, number>;
const opened: OpenHost[] = [];
const setQuota = (bytes: number): void => {
  for (const plan of PLAN_TYPES) quotas[plan] = bytes;
};
beforeEach(async () => {
  quotas = { FREE: 0, TRIALING: 0, PLUS: 0, PRO: 0 };
  setQuota(ROOM_BYTES);
  server = await startServer({ now: clock.now, storageQuotas: quotas });
});
afterEach(async () => {
  await Promise.all(opened.splice(0).map(({ host }) => host.close()));
  await server.close();
  removeDataFolders();
});

async function open(options: Parameters<typeof openHost>[0] = {}): Promise<OpenHost> {
  const one = await openHost({ serverUrl: server.url, clock, ...options });
  opened.push(one);
  await one.host.whenIdle();
  return one;
}

async function close(one: OpenHost): Promise<void> {
  opened.splice(opened.indexOf(one), 1);
  await one.host.close();
}

async function reopen(one: OpenHost): Promise<OpenHost> {
  await close(one);
  return open({ dataDir: one.dataDir });
}

/** Opens the host a day later, which makes the day's backup. */
async function reopenNextDay(one: OpenHost): Promise<OpenHost> {
  clock.pass(DAY_MS + 1);
  return reopen(one);
}

async function reopenDamaged(one: OpenHost): Promise<OpenHost> {
  await close(one);
  damageTable(one.dataDir, 'practice_history');
  const restored = await open({ dataDir: one.dataDir });
  await restored.ask.sync.run();
  return restored;
}

async function sayIn({ ask }: OpenHost, text = LATE_REPLY): Promise<string> {
  const { sessionId } = await ask.practice.start({
    practiceId: LATE_DELIVERY,
    difficulty: 'easy',
    communicationStyle: 'text',
  });
  await ask.practice.sendTyped({ sessionId, text, hintLevel: 0 });
  return sessionId;
}

async function joinedTo(one: OpenHost): Promise<OpenHost> {
  const two = await open();
  const { code } = await one.ask.account.createLinkCode();
  await two.ask.account.join({ code: LinkCode.parse(code) });
  return two;
}

const sessionsOf = async ({ ask }: OpenHost): Promise<string[]> =>
  (await ask.history.list({ search: '', offset: 0, limit: 50 })).items.map(({ sessionId }) => sessionId).toSorted();
const saidIn = async ({ ask }: OpenHost, sessionId: string): Promise<string[]> =>
  (await ask.practice.session({ sessionId })).turns.filter(({ role }) => role === 'learner').map(({ text }) => text);
const codesOf = async ({ ask }: OpenHost): Promise<string[]> => [
  ...new Set((await ask.sync.rejected()).map(({ code }) => code)),
];
/** The tables whose rows are listed; several changes of one row become one when they are sent again. */
const tablesOf = async ({ ask }: OpenHost): Promise<string[]> =>
  [...new Set((await ask.sync.rejected()).map(({ table }) => table))].toSorted();
const sessionsOnServer = async (): Promise<unknown[]> =>
  (await server.read(sql`select id from practice_history where deleted_at is null order by id`)).map(({ id }) => id);

it.each(['waited', 'did not exist'])(
  'are listed and arrive when there is room: they %s at the backup',
  async (state) => {
    const first = await open();
    await first.ask.sync.run();
    server.fail = 'sync.offline';
    const before = state === 'waited' ? await sayIn(first) : null;
    const backedUp = await reopenNextDay(first);
    setQuota(0);
    server.fail = null;
    const sessionId = before ?? (await sayIn(backedUp));
    await backedUp.ask.sync.run();
    expect(await codesOf(backedUp)).toEqual(['storage_full']);
    const refused = await tablesOf(backedUp);

    const restored = await reopenDamaged(backedUp);
    expect((await restored.ask.app.about()).restoredFrom).not.toBeNull();
    expect(await codesOf(restored)).toEqual(['storage_full']);
    expect(await tablesOf(restored)).toEqual(refused);
    expect(await sessionsOf(restored)).toEqual([sessionId]);
    expect(await saidIn(restored, sessionId)).toEqual([LATE_REPLY]);
    expect(await sessionsOnServer()).toEqual([]);

    setQuota(ROOM_BYTES);
    const later = await reopen(restored);
    expect(await later.ask.sync.run()).toMatchObject({ state: 'idle', waiting: 0, rejected: 0 });
    const two = await joinedTo(later);
    expect(await sessionsOf(two)).toEqual([sessionId]);
    expect(await saidIn(two, sessionId)).toEqual([LATE_REPLY]);
  },
);

it('are kept when there is no backup', async () => {
  const one = await open();
  await one.ask.sync.run();
  setQuota(0);
  const sessionId = await sayIn(one);
  await one.ask.sync.run();
  rmSync(join(one.dataDir, 'backups'), { recursive: true });
  const restored = await reopenDamaged(one);
  expect(await codesOf(restored)).toEqual(['storage_full']);
  setQuota(ROOM_BYTES);
  const later = await reopen(restored);
  expect(await later.ask.sync.run()).toMatchObject({ state: 'idle', waiting: 0, rejected: 0 });
  expect(await saidIn(later, sessionId)).toEqual([LATE_REPLY]);
  expect(await sessionsOnServer()).toEqual([sessionId]);
});

it('are not sent after the learner has discarded them since the backup', async () => {
  const first = await open();
  await first.ask.sync.run();
  setQuota(0);
  const sessionId = await sayIn(first);
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

it('do not undo what was changed later', async () => {
  const first = await open();
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
