/** A server whose database cannot do its work, for all changes or only for some requests. */
import { LinkCode, type Mutation } from '@parley/contract';
import { sql } from 'drizzle-orm';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { LATE_DELIVERY } from '../../test-kit/test-catalogue.ts';
import { startServer, type TestServer } from '../../test-kit/test-server.ts';
import { aClock, type OpenHost, openHost, removeDataFolders } from '../../test-kit/open-host.ts';

const HOUR_MS = 3_600_000;
const clock = aClock();
let server: TestServer;
let opened: OpenHost[] = [];
beforeEach(async () => {
  server = await startServer({ now: clock.now });
});
afterEach(async () => {
  await Promise.all(opened.map(({ host }) => host.close()));
  opened = [];
  await server.close();
  removeDataFolders();
});

async function online(options: Parameters<typeof openHost>[0] = {}): Promise<OpenHost> {
  const one = await openHost({ serverUrl: server.url, clock, ...options });
  opened.push(one);
  await one.host.whenIdle();
  return one;
}

async function joinedTo(one: OpenHost): Promise<OpenHost> {
  const two = await online();
  const { code } = await one.ask.account.createLinkCode();
  await two.ask.account.join({ code: LinkCode.parse(code) });
  return two;
}

async function reopen(one: OpenHost): Promise<OpenHost> {
  opened = opened.filter((other) => other !== one);
  await one.host.close();
  return online({ dataDir: one.dataDir });
}

async function typeTurns({ ask }: OpenHost, texts: readonly string[]): Promise<string> {
  const { sessionId } = await ask.practice.start({
    practiceId: LATE_DELIVERY,
    difficulty: 'easy',
    communicationStyle: 'text',
  });
  for (const text of texts) await ask.practice.sendTyped({ sessionId, text, hintLevel: 0 });
  return sessionId;
}

const wordsIn = async ({ ask }: OpenHost, sessionId: string): Promise<string[]> =>
  (await ask.practice.session({ sessionId })).turns.filter(({ role }) => role === 'learner').map(({ text }) => text);

async function untilSynced({ ask }: OpenHost): Promise<void> {
  await expect
    .poll(async () => await ask.sync.run(), { timeout: 20_000, interval: 5 })
    .toMatchObject({ state: 'idle', waiting: 0 });
}

/** Syncs far more often than setting a change aside needs. */
async function syncRepeatedly({ ask }: OpenHost): Promise<void> {
  for (let attempt = 0; attempt < 20; attempt += 1) await ask.sync.run();
}

const isTooLarge = (change: Mutation): boolean => JSON.stringify(change.fields).includes('enormous');

it('receives changes one at a time when it cannot take them together', async () => {
  const one = await online();
  const two = await joinedTo(one);
  server.fail = 'sync.offline';
  const sessionId = await typeTurns(one, ['a banana', 'an apple']);
  server.failOnPush = (changes) => (changes.length > 1 ? 'sync.offline' : null);
  server.fail = null;
  await untilSynced(one);
  await untilSynced(two);
  expect(await wordsIn(two, sessionId)).toEqual(['a banana', 'an apple']);
  expect(await one.ask.sync.rejected()).toEqual([]);
});

it('does not hold up for more than hours what follows a change that it cannot take', async () => {
  const one = await online();
  const two = await joinedTo(one);
  server.fail = 'sync.offline';
  const sessionId = await typeTurns(one, ['an enormous banana', 'an apple']);
  server.fail = null;
  server.failOnPush = (changes) => (changes.some(isTooLarge) ? 'sync.offline' : null);
  await syncRepeatedly(one);
  clock.pass(5 * HOUR_MS);
  const same = await reopen(one);
  await syncRepeatedly(same);
  expect(await same.ask.sync.rejected()).toEqual([]);
  expect((await same.ask.sync.status()).state).toBe('offline');

  clock.pass(HOUR_MS);
  await untilSynced(same);
  expect(await same.ask.sync.rejected()).toMatchObject([{ code: 'internal_error' }]);
  await untilSynced(two);
  expect(await wordsIn(two, sessionId)).toEqual(['an apple']);

  // It is sent again each day, and does not hold up the rest for hours again.
  clock.pass(24 * HOUR_MS);
  const inVain = await reopen(same);
  await untilSynced(inVain);
  expect(await inVain.ask.sync.rejected()).toMatchObject([{ code: 'internal_error' }]);

  server.failOnPush = null;
  clock.pass(24 * HOUR_MS);
  const nextDay = await reopen(inVain);
  await untilSynced(nextDay);
  expect(await nextDay.ask.sync.rejected()).toEqual([]);
  await untilSynced(two);
  expect(await wordsIn(two, sessionId)).toEqual(['an enormous banana', 'an apple']);
});

it('keeps every change waiting as long as it can take none', async () => {
  const one = await online();
  const two = await joinedTo(one);
  server.fail = 'sync.offline';
  const sessionId = await typeTurns(one, ['a banana']);
  server.fail = null;
  server.failOnPush = (changes) => (changes.length > 0 ? 'sync.offline' : null);
  await syncRepeatedly(one);
  clock.pass(48 * HOUR_MS);
  await syncRepeatedly(one);
  expect(await one.ask.sync.rejected()).toEqual([]);
  server.failOnPush = null;
  await untilSynced(one);
  await untilSynced(two);
  expect(await wordsIn(two, sessionId)).toEqual(['a banana']);
});

it('sets a change aside for which its database has no time', async () => {
  const one = await online();
  server.fail = 'sync.offline';
  await typeTurns(one, ['an enormous banana', 'an apple']);
  await server.execute(sql`create function take_too_long() returns trigger language plpgsql as
    $$ begin raise exception 'canceling statement due to statement timeout' using errcode = '57014'; end $$`);
  await server.execute(sql`create trigger take_too_long before insert on ai_conversations
    for each row when (new.content like '%enormous%') execute function take_too_long()`);
  // Only now, or a retry in the background could send the change before the trigger exists.
  server.fail = null;
  await untilSynced(one);
  expect(await one.ask.sync.rejected()).toMatchObject([{ code: 'internal_error' }]);
  expect(await server.read(sql`select content from ai_conversations where role = 'learner'`)).toEqual([
    { content: 'an apple' },
  ]);
});
