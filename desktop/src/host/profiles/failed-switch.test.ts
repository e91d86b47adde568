/** A switch to the data of another server that cannot be opened. */
import { createRouterClient, type RouterClient } from '@orpc/server';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import type { HostRouter } from '../index.ts';
import { aDataFolder, aScriptedScorer } from '../test-kit/open-host.ts';
import { inDatabase } from '../test-kit/read-database.ts';
import { aCatalogue, LATE_DELIVERY } from '../test-kit/test-catalogue.ts';
import { startServer, type TestServer } from '../test-kit/test-server.ts';
import { type AppHost, openAppHost } from './index.ts';

type Ask = RouterClient<HostRouter>;

let school: TestServer;
let company: TestServer;
const open: AppHost[] = [];

beforeAll(async () => {
  [school, company] = await Promise.all([startServer({}), startServer({})]);
});
afterAll(() => Promise.all([school.close(), company.close()]));
afterEach(async () => {
  for (const app of open.splice(0)) await app.close();
});

/** Returns how to ask the profile that is currently open. */
async function start(dataDir: string): Promise<() => Promise<Ask>> {
  const app = await openAppHost({
    dataDir,
    serverUrl: null,
    scorer: aScriptedScorer(),
    chance: () => 0.5,
    timeZone: () => 'Europe/Berlin',
    loadCatalogue: aCatalogue,
  });
  open.push(app);
  return async () => createRouterClient((await app.host()).router);
}

async function change(ask: () => Promise<Ask>, url: string): Promise<void> {
  await (await ask()).server.change({ url });
  await new Promise((resolve) => setImmediate(resolve));
}

async function practise(ask: () => Promise<Ask>): Promise<string> {
  const { sessionId } = await (
    await ask()
  ).practice.start({
    practiceId: LATE_DELIVERY,
    difficulty: 'easy',
    communicationStyle: 'text',
    coachKind: 'guided',
  });
  return sessionId;
}

it.each([
  ['newer', "INSERT INTO __drizzle_migrations (hash, created_at) VALUES ('newer', 9999999999999)"],
  ['other', 'DROP TABLE sync_state'],
])('goes back and says why: %s', async (why, damage) => {
  const dataDir = aDataFolder();
  const laptop = await start(dataDir);
  await change(laptop, school.url);
  await practise(laptop);
  await change(laptop, company.url);
  const atCompany = await practise(laptop);
  // The first choice of a server keeps the folder of the installation.
  inDatabase(dataDir, (sqlite) => sqlite.exec(damage));
  await change(laptop, school.url);
  const ask = await laptop();
  expect(await ask.server.read()).toMatchObject({ url: company.url });
  const { items } = await ask.history.list({ search: '', offset: 0, limit: 50 });
  expect(items.map(({ sessionId }) => sessionId)).toEqual([atCompany]);
  expect(await ask.app.about()).toMatchObject({ switchFailure: why });
  for (const app of open.splice(0)) await app.close();
  expect(await (await (await start(dataDir))()).app.about()).toMatchObject({ switchFailure: null });
});
