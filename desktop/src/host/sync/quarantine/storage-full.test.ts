import { PLAN_TYPES, type PlanType } from '@parley/domain';
import { sql } from 'drizzle-orm';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { LATE_DELIVERY } from '../../test-kit/test-catalogue.ts';
import { startServer, type TestServer } from '../../test-kit/test-server.ts';
import { type OpenHost, openHost, removeDataFolders } from '../../test-kit/open-host.ts';

const ROOM_BYTES = 100_000_000;

let server: TestServer;
let quotas: Record<PlanType, number>;
const opened: OpenHost[] = [];
const setQuota = (bytes: number): void => {
  for (const plan of PLAN_TYPES) quotas[plan] = bytes;
};
beforeEach(async () => {
  quotas = { FREE: 0, TRIALING: 0, PLUS: 0, PRO: 0 };
  setQuota(ROOM_BYTES);
  server = await startServer({ storageQuotas: quotas });
});
afterEach(async () => {
  await Promise.all(opened.splice(0).map(({ host }) => host.close()));
  await server.close();
  removeDataFolders();
});

async function online(options: Parameters<typeof openHost>[0] = {}): Promise<OpenHost> {
  const one = await openHost({ serverUrl: server.url, ...options });
  opened.push(one);
  await one.host.whenIdle();
  return one;
}

const startSession = async ({ ask }: OpenHost): Promise<string> =>
  (await ask.practice.start({ practiceId: LATE_DELIVERY, difficulty: 'easy', communicationStyle: 'text' })).sessionId;

const sessionsOnServer = async (): Promise<unknown[]> =>
  (await server.read(sql`select id from practice_history where deleted_at is null order by id`)).map(({ id }) => id);

const codesOf = async ({ ask }: OpenHost): Promise<string[]> => [
  ...new Set((await ask.sync.rejected()).map(({ code }) => code)),
];

it('lists what the account has no room for and sends it at the next start', async () => {
  const one = await online();
  setQuota(0);
  const sessionId = await startSession(one);
  const status = await one.ask.sync.run();
  expect(status).toMatchObject({ state: 'idle', waiting: 0 });
  expect(status.rejected).toBeGreaterThan(0);
  expect(await codesOf(one)).toEqual(['storage_full']);
  const { items } = await one.ask.history.list({ search: '', offset: 0, limit: 10 });
  expect(items.map((item) => item.sessionId)).toEqual([sessionId]);
  expect(await sessionsOnServer()).toEqual([]);

  await one.host.close();
  opened.splice(0);
  setQuota(ROOM_BYTES);
  const again = await online({ dataDir: one.dataDir });
  expect(await again.ask.sync.run()).toMatchObject({ state: 'idle', waiting: 0, rejected: 0 });
  expect(await sessionsOnServer()).toEqual([sessionId]);
});

it('sends rejected changes again after a deletion made room', async () => {
  const one = await online();
  const first = await startSession(one);
  expect(await one.ask.sync.run()).toMatchObject({ waiting: 0, rejected: 0 });
  setQuota(0);
  const second = await startSession(one);
  await one.ask.sync.run();
  expect(await codesOf(one)).toEqual(['storage_full']);
  await one.ask.practice.discard({ sessionId: first });
  await one.ask.sync.run();
  expect(await sessionsOnServer()).toEqual([]);
  // They were sent again and rejected again, because the account has no room at all.
  expect(await codesOf(one)).toEqual(['storage_full']);
  const third = await startSession(one);
  setQuota(ROOM_BYTES);
  await one.ask.practice.discard({ sessionId: third });
  await one.ask.sync.run();
  expect(await one.ask.sync.run()).toMatchObject({ waiting: 0, rejected: 0 });
  expect(await sessionsOnServer()).toEqual([second]);
});
