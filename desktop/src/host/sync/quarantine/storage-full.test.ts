import { PLAN_TYPES, type PlanType } from '@parley/domain';
import { sql } from 'drizzle-orm';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createDevices, typeTurns, sessionIdsOf, userIdOf } from '../../test-kit/devices.ts';
import { LATE_REPLY } from '../../test-kit/test-catalogue.ts';
import { aMailbox } from '../../test-kit/test-mailbox.ts';
import { startServer, type TestServer } from '../../test-kit/test-server.ts';
import { aClock, type OpenHost } from '../../test-kit/open-host.ts';

const ROOM_BYTES = 100_000_000;

const clock = aClock();
const mailbox = aMailbox();
let server: TestServer;
let quotas: Record<PlanType, number>;
const devices = createDevices(() => ({ serverUrl: server.url, clock }));
const setQuota = (bytes: number): void => {
  for (const plan of PLAN_TYPES) quotas[plan] = bytes;
};
beforeEach(async () => {
  quotas = { FREE: 0, TRIALING: 0, PLUS: 0, PRO: 0 };
  setQuota(ROOM_BYTES);
  server = await startServer({
    now: clock.now,
    storageQuotas: quotas,
    account: { access: 'open' },
    enqueueMail: mailbox.enqueueMail,
  });
});
afterEach(async () => {
  await devices.closeAll();
  await server.close();
});

const sessionsOnServer = async (): Promise<unknown[]> =>
  (await server.read(sql`select id from practice_history where deleted_at is null order by id`)).map(({ id }) => id);

const codesOf = async ({ ask }: OpenHost): Promise<string[]> => [
  ...new Set((await ask.sync.rejected()).map(({ code }) => code)),
];

it('lists changes that the account has no room for, and sends them at the next start', async () => {
  const one = await devices.open();
  setQuota(0);
  const sessionId = await typeTurns(one);
  const status = await one.ask.sync.run();
  expect(status).toMatchObject({ state: 'idle', waiting: 0 });
  expect(status.rejected).toBeGreaterThan(0);
  expect(await codesOf(one)).toEqual(['storage_full']);
  const { items } = await one.ask.history.list({ search: '', offset: 0, limit: 10 });
  expect(items.map((item) => item.sessionId)).toEqual([sessionId]);
  expect(await sessionsOnServer()).toEqual([]);

  setQuota(ROOM_BYTES);
  const again = await devices.reopen(one);
  expect(await again.ask.sync.run()).toMatchObject({ state: 'idle', waiting: 0, rejected: 0 });
  expect(await sessionsOnServer()).toEqual([sessionId]);
});

it('sends rejected changes again after a deletion made room', async () => {
  const one = await devices.open();
  const first = await typeTurns(one);
  expect(await one.ask.sync.run()).toMatchObject({ waiting: 0, rejected: 0 });
  setQuota(0);
  const second = await typeTurns(one);
  await one.ask.sync.run();
  expect(await codesOf(one)).toEqual(['storage_full']);
  await one.ask.practice.discard({ sessionId: first });
  await one.ask.sync.run();
  expect(await sessionsOnServer()).toEqual([]);
  // They were sent again and rejected again, because the account has no room at all.
  expect(await codesOf(one)).toEqual(['storage_full']);
  const third = await typeTurns(one);
  setQuota(ROOM_BYTES);
  await one.ask.practice.discard({ sessionId: third });
  await one.ask.sync.run();
  expect(await one.ask.sync.run()).toMatchObject({ waiting: 0, rejected: 0 });
  expect(await sessionsOnServer()).toEqual([second]);
});

it('sends the latest version of a session once there is space', async () => {
  const one = await devices.open();
  setQuota(0);
  const sessionId = await typeTurns(one);
  await one.ask.sync.run();
  await one.ask.practice.sendTyped({ sessionId, text: LATE_REPLY, hintLevel: 0 });
  await one.ask.practice.finish({ sessionId });
  await one.ask.sync.run();
  expect(await codesOf(one)).toEqual(['storage_full']);
  const finished = await one.ask.practice.session({ sessionId });

  setQuota(ROOM_BYTES);
  const again = await devices.reopen(one);
  expect(await again.ask.sync.run()).toMatchObject({ state: 'idle', waiting: 0, rejected: 0 });
  expect(await again.ask.practice.session({ sessionId })).toEqual(finished);
  const stored = await server.read(sql`select status,
      (select count(*)::int from ai_conversations t where t.session_id = h.id) as turns from practice_history h`);
  expect(stored).toEqual([{ status: 'completed', turns: finished.turns.length }]);
});

it('does not bring back a session that was discarded before there was room', async () => {
  const one = await devices.open();
  setQuota(0);
  const sessionId = await typeTurns(one);
  await one.ask.sync.run();
  expect(await codesOf(one)).toEqual(['storage_full']);
  setQuota(ROOM_BYTES);
  await one.ask.practice.discard({ sessionId });
  await one.ask.sync.run();
  expect(await one.ask.sync.run()).toMatchObject({ state: 'idle', waiting: 0, rejected: 0 });
  expect(await sessionsOnServer()).toEqual([]);
  expect((await one.ask.history.list({ search: '', offset: 0, limit: 10 })).items).toEqual([]);
});

it('restores a deleted session that there was no room for', async () => {
  const one = await devices.open();
  setQuota(0);
  const sessionId = await typeTurns(one);
  await one.ask.practice.sendTyped({ sessionId, text: LATE_REPLY, hintLevel: 0 });
  await one.ask.practice.finish({ sessionId });
  await one.ask.sync.run();
  const finished = await one.ask.practice.session({ sessionId });
  await one.ask.history.remove({ sessionId });
  expect(await one.ask.sync.run()).toMatchObject({ state: 'idle', waiting: 0 });
  setQuota(ROOM_BYTES);
  await one.ask.history.restore({ sessionId });
  await one.ask.sync.run();
  const again = await devices.reopen(one);
  expect(await again.ask.sync.run()).toMatchObject({ state: 'idle', waiting: 0, rejected: 0 });
  expect(await again.ask.practice.session({ sessionId })).toEqual(finished);
  const stored = await server.read(sql`select h.deleted_at,
      (select count(*)::int from ai_conversations t where t.session_id = h.id) as turns from practice_history h`);
  expect(stored).toEqual([{ deleted_at: null, turns: finished.turns.length }]);
});

it('does not undo a later edit with an older one that had no room', async () => {
  const one = await devices.open();
  await one.ask.settings.updateProfile({ jobTitle: 'Planner of production' });
  await one.ask.sync.run();
  setQuota(0);
  await one.ask.settings.updateProfile({ jobTitle: 'Planner of production and of all deliveries' });
  expect(await one.ask.sync.run()).toMatchObject({ waiting: 0, rejected: 1 });
  await one.ask.settings.updateProfile({ jobTitle: 'Nurse' });
  expect(await one.ask.sync.run()).toMatchObject({ waiting: 0, rejected: 1 });
  setQuota(ROOM_BYTES);
  const again = await devices.reopen(one);
  expect(await again.ask.sync.run()).toMatchObject({ state: 'idle', waiting: 0, rejected: 0 });
  expect(await server.read(sql`select job_title from users where user_id = ${userIdOf(one)}`)).toEqual([
    { job_title: 'Nurse' },
  ]);
  expect((await again.ask.settings.read()).profile.jobTitle).toBe('Nurse');
});

async function removeFromList({ ask }: OpenHost): Promise<void> {
  for (const { id } of await ask.sync.rejected()) await ask.sync.dismissRejected({ id });
  expect(await ask.sync.status()).toMatchObject({ rejected: 0 });
}

it.each([
  ['is listed', false],
  ['was removed from the list', true],
])('keeps a session without room that %s when deletions were purged on the server', async (_state, isRemoved) => {
  const one = await devices.open();
  await one.ask.settings.updateProfile({ firstName: 'Ana' });
  await one.ask.sync.run();
  setQuota(0);
  const sessionId = await typeTurns(one);
  await one.ask.sync.run();
  if (isRemoved) await removeFromList(one);
  await server.execute(
    sql`update sync_scopes set version = version + 1, floor = version + 1 where scope = ${`user:${userIdOf(one)}`}`,
  );
  await one.ask.sync.run();
  expect(await one.ask.sync.run()).toMatchObject({ state: 'idle', waiting: 0 });
  const { items } = await one.ask.history.list({ search: '', offset: 0, limit: 10 });
  expect(items.map((item) => item.sessionId)).toEqual([sessionId]);
});

describe('while another learner uses the computer', () => {
  it.each([
    ['is listed', false],
    ['was removed from the list', true],
  ])('a session without room that %s waits for its owner', async (_state, isRemoved) => {
    const one = await devices.open();
    await mailbox.signIn(one, 'ada@example.com');
    setQuota(0);
    const sessionId = await typeTurns(one);
    await one.ask.practice.sendTyped({ sessionId, text: LATE_REPLY, hintLevel: 0 });
    await one.ask.practice.finish({ sessionId });
    await one.ask.sync.run();
    expect(await codesOf(one)).toEqual(['storage_full']);
    if (isRemoved) await removeFromList(one);
    const finished = await one.ask.practice.session({ sessionId });

    await mailbox.signIn(one, 'ben@example.com');
    expect(await sessionIdsOf(one)).toEqual([]);
    expect(await one.ask.sync.run()).toMatchObject({ state: 'idle', waiting: 0, rejected: 0 });
    await mailbox.signIn(one, 'ada@example.com');
    await one.ask.sync.run();
    expect(await sessionIdsOf(one)).toEqual([sessionId]);
    expect(await one.ask.practice.session({ sessionId })).toEqual(finished);
    expect(await sessionsOnServer()).toEqual([]);
    expect(await codesOf(one)).toEqual(['storage_full']);

    setQuota(ROOM_BYTES);
    const again = await devices.reopen(one);
    expect(await again.ask.sync.run()).toMatchObject({ state: 'idle', waiting: 0, rejected: 0 });
    expect(await sessionsOnServer()).toEqual([sessionId]);
    expect(await again.ask.practice.session({ sessionId })).toEqual(finished);
  });

  it('a session without room arrives once when its anonymous learner signs in to an account', async () => {
    const phone = await devices.open();
    await mailbox.signIn(phone, 'ada@example.com');
    await devices.close(phone);
    const one = await devices.open();
    await typeTurns(one);
    await one.ask.sync.run();
    setQuota(0);
    await typeTurns(one);
    await one.ask.sync.run();
    expect(await codesOf(one)).toEqual(['storage_full']);
    setQuota(ROOM_BYTES);
    await mailbox.signIn(one, 'ada@example.com');
    const again = await devices.reopen(one);
    expect(await again.ask.sync.run()).toMatchObject({ state: 'idle', waiting: 0, rejected: 0 });
    const owned = await server.read(
      sql`select h.id from practice_history h join users using (user_id) where email is not null order by h.id`,
    );
    expect(owned.map(({ id }) => id)).toEqual(await sessionIdsOf(again));
    expect(owned).toHaveLength(2);
  });

  it('a session without room that was deleted does not come back', async () => {
    const one = await devices.open();
    await mailbox.signIn(one, 'ada@example.com');
    setQuota(0);
    const deleted = await typeTurns(one);
    await one.ask.practice.sendTyped({ sessionId: deleted, text: LATE_REPLY, hintLevel: 0 });
    await one.ask.practice.finish({ sessionId: deleted });
    const discarded = await typeTurns(one);
    await one.ask.practice.sendTyped({ sessionId: discarded, text: LATE_REPLY, hintLevel: 0 });
    await one.ask.sync.run();
    await one.ask.history.remove({ sessionId: deleted });
    await one.ask.practice.discard({ sessionId: discarded });
    await one.ask.sync.run();
    await mailbox.signIn(one, 'ben@example.com');
    setQuota(ROOM_BYTES);
    await mailbox.signIn(one, 'ada@example.com');
    await one.ask.sync.run();
    const again = await devices.reopen(one);
    await again.ask.sync.run();
    expect(await sessionIdsOf(again)).toEqual([]);
    expect(await sessionsOnServer()).toEqual([]);
    expect(await server.read(sql`select content from ai_conversations where deleted_at is null`)).toEqual([]);
  });
});
