/** A server whose database fails, for all changes or only for some requests. */
import { type Mutation } from '@parley/contract';
import { sql } from 'drizzle-orm';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createDevices, untilNothingWaits, typeTurns, learnerTexts } from '../../test-kit/devices.ts';
import { startServer, type TestServer } from '../../test-kit/test-server.ts';
import { aClock, type OpenHost } from '../../test-kit/open-host.ts';

const HOUR_MS = 3_600_000;
const clock = aClock();
let server: TestServer;
const devices = createDevices(() => ({ serverUrl: server.url, clock }));
beforeEach(async () => {
  server = await startServer({ now: clock.now });
});
afterEach(async () => {
  await devices.closeAll();
  await server.close();
});

/** Syncs far more often than it takes to set a change aside. */
async function syncRepeatedly({ ask }: OpenHost): Promise<void> {
  for (let attempt = 0; attempt < 20; attempt += 1) await ask.sync.run();
}

const isTooLarge = (change: Mutation): boolean => JSON.stringify(change.fields).includes('enormous');

it('a server that cannot take changes together receives them one at a time', async () => {
  const one = await devices.open();
  const two = await devices.openJoined(one);
  server.fail = 'sync.offline';
  const sessionId = await typeTurns(one, 'a banana', 'an apple');
  server.failOnPush = (changes) => (changes.length > 1 ? 'sync.offline' : null);
  server.fail = null;
  await untilNothingWaits(one);
  await untilNothingWaits(two);
  expect(await learnerTexts(two, sessionId)).toEqual(['a banana', 'an apple']);
  expect(await one.ask.sync.rejected()).toEqual([]);
});

it('delays the changes after one that it cannot store by hours at most', async () => {
  const one = await devices.open();
  const two = await devices.openJoined(one);
  server.fail = 'sync.offline';
  const sessionId = await typeTurns(one, 'an enormous banana', 'an apple');
  server.fail = null;
  server.failOnPush = (changes) => (changes.some(isTooLarge) ? 'sync.offline' : null);
  await syncRepeatedly(one);
  clock.pass(5 * HOUR_MS);
  const same = await devices.reopen(one);
  await syncRepeatedly(same);
  expect(await same.ask.sync.rejected()).toEqual([]);
  expect((await same.ask.sync.status()).state).toBe('offline');

  clock.pass(HOUR_MS);
  await untilNothingWaits(same);
  expect(await same.ask.sync.rejected()).toMatchObject([{ code: 'internal_error' }]);
  await untilNothingWaits(two);
  expect(await learnerTexts(two, sessionId)).toEqual(['an apple']);

  // The change is sent again each day, without holding up the rest for hours again.
  clock.pass(24 * HOUR_MS);
  const inVain = await devices.reopen(same);
  await untilNothingWaits(inVain);
  expect(await inVain.ask.sync.rejected()).toMatchObject([{ code: 'internal_error' }]);

  server.failOnPush = null;
  clock.pass(24 * HOUR_MS);
  const nextDay = await devices.reopen(inVain);
  await untilNothingWaits(nextDay);
  expect(await nextDay.ask.sync.rejected()).toEqual([]);
  await untilNothingWaits(two);
  expect(await learnerTexts(two, sessionId)).toEqual(['an enormous banana', 'an apple']);
});

it('keeps every change waiting as long as it can take none', async () => {
  const one = await devices.open();
  const two = await devices.openJoined(one);
  server.fail = 'sync.offline';
  const sessionId = await typeTurns(one, 'a banana');
  server.fail = null;
  server.failOnPush = (changes) => (changes.length > 0 ? 'sync.offline' : null);
  await syncRepeatedly(one);
  clock.pass(48 * HOUR_MS);
  await syncRepeatedly(one);
  expect(await one.ask.sync.rejected()).toEqual([]);
  server.failOnPush = null;
  await untilNothingWaits(one);
  await untilNothingWaits(two);
  expect(await learnerTexts(two, sessionId)).toEqual(['a banana']);
});

it('sets aside a change that its database has no time for', async () => {
  const one = await devices.open();
  server.fail = 'sync.offline';
  await typeTurns(one, 'an enormous banana', 'an apple');
  await server.execute(sql`create function take_too_long() returns trigger language plpgsql as
    $$ begin raise exception 'canceling statement due to statement timeout' using errcode = '57014'; end $$`);
  await server.execute(sql`create trigger take_too_long before insert on ai_conversations
    for each row when (new.content like '%enormous%') execute function take_too_long()`);
  // It is closed only here, because otherwise a retry in the background could send the change before the trigger
  // exists.
  server.fail = null;
  await untilNothingWaits(one);
  expect(await one.ask.sync.rejected()).toMatchObject([{ code: 'internal_error' }]);
  expect(await server.read(sql`select content from ai_conversations where role = 'learner'`)).toEqual([
    { content: 'an apple' },
  ]);
});
