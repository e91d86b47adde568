/** Copies of recordings on a server that moved to another address with an older copy of its data, in the same epoch. */
import { createRouterClient, type RouterClient } from '@orpc/server';
import { copyMemoryDatabase, openMemoryDatabase } from '@parley/sync-server/test-kit';
import { sql } from 'drizzle-orm';
import { afterEach, expect, it, vi } from 'vitest';
import type { HostRouter } from '../index.ts';
import { type AppHost, openAppHost } from '../profiles/index.ts';
import { aDataFolder, aScriptedScorer, voiceLikePcm, sendRecordedTurn, startPractice } from '../test-kit/open-host.ts';
import { aCatalogue } from '../test-kit/test-catalogue.ts';
import { aMailbox } from '../test-kit/test-mailbox.ts';
import { startServer, type TestServer } from '../test-kit/test-server.ts';

const EMAIL = 'ana@example.com';
const mailbox = aMailbox();
const servers: TestServer[] = [];
const open: AppHost[] = [];
afterEach(async () => {
  for (const app of open.splice(0)) await app.close();
  for (const server of servers.splice(0)) await server.close();
});

type Ask = RouterClient<HostRouter>;

async function serve(database: Awaited<ReturnType<typeof openMemoryDatabase>>): Promise<TestServer> {
  const server = await startServer({ enqueueMail: mailbox.enqueueMail, account: { access: 'open' }, database });
  servers.push(server);
  return server;
}

async function signedIn(server: TestServer): Promise<Ask> {
  const app = await openAppHost({
    dataDir: aDataFolder(),
    serverUrl: null,
    scorer: aScriptedScorer(),
    chance: () => 0,
    timeZone: () => 'Europe/Berlin',
    loadCatalogue: aCatalogue,
    keptRecordings: { quietMs: 0 },
  });
  open.push(app);
  const client = async (): Promise<Ask> => createRouterClient((await app.host()).router);
  await (
    await client()
  ).server.change({ url: server.url, migratesData: false, abandonsUndownloaded: false, confirmed: null });
  const ask = await client();
  await mailbox.signIn({ ask }, EMAIL);
  return ask;
}

let spoken = 0;
async function speak(ask: Ask): Promise<string> {
  const { sessionId } = await startPractice(ask, 'audio');
  // Identical audio would be stored as one file.
  spoken += 1;
  const { recordingId } = await sendRecordedTurn(ask, sessionId, voiceLikePcm(1_000 + 200 * spoken));
  await ask.sync.run();
  return recordingId;
}

const WAIT = { timeout: 20_000, interval: 50 };
const copiesOn = async (server: TestServer): Promise<unknown[]> =>
  (
    await server.read(sql`select recording_id from kept_recordings where version is not null order by recording_id`)
  ).map((row) => row['recording_id']);
const untilKept = (server: TestServer, ids: readonly string[]) =>
  vi.waitFor(async () => expect(await copiesOn(server)).toEqual(ids.toSorted()), WAIT);

it(
  'copies are sent again to a moved server that has received as many others since',
  { tags: ['slow'], timeout: 60_000 },
  async () => {
    const database = await openMemoryDatabase();
    const former = await serve(database);
    const laptop = await signedIn(former);
    await laptop.recordings.keep({ isOn: true, deleteAll: false });
    const early = await speak(laptop);
    await untilKept(former, [early]);
    const moved = await serve(await copyMemoryDatabase(database));
    const late = await speak(laptop);
    await untilKept(former, [early, late]);
    await vi.waitFor(
      async () => expect(await laptop.recordings.keeping()).toMatchObject({ kept: 2, waiting: 0 }),
      WAIT,
    );

    const desk = await signedIn(moved);
    const other = await speak(desk);
    await untilKept(moved, [early, other]);

    const { relation, serverId } = await laptop.server.check({ url: moved.url });
    const confirmed = { relation, serverId };
    await laptop.server.change({ url: moved.url, migratesData: false, abandonsUndownloaded: false, confirmed });
    await mailbox.signIn({ ask: laptop }, EMAIL);
    await laptop.sync.run();
    await untilKept(moved, [early, late, other]);
  },
);
