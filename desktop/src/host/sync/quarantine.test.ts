/** Changes on which the server fails with an internal error: when they are set aside, and when they are tried again. */
import { LinkCode } from '@parley/contract';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { LATE_DELIVERY } from '../test-kit/a-catalogue.ts';
import { startServer, type TestServer } from '../test-kit/a-server.ts';
import { aClock, type OpenHost, openHost, removeDataFolders } from '../test-kit/open-host.ts';
import { readOutbox } from '../test-kit/read-database.ts';

const clock = aClock();
let server: TestServer;
let opened: OpenHost[] = [];
beforeAll(async () => {
  server = await startServer({ now: clock.now });
});
beforeEach(() => {
  server.fail = null;
  server.failOn = null;
});
afterEach(async () => {
  await Promise.all(opened.map(({ host }) => host.close()));
  opened = [];
  removeDataFolders();
});
afterAll(() => server.close());

async function online(options: Parameters<typeof openHost>[0] = {}): Promise<OpenHost> {
  const one = await openHost({ serverUrl: server.url, clock, ...options });
  opened.push(one);
  await one.host.whenIdle();
  return one;
}

async function close(one: OpenHost): Promise<void> {
  opened = opened.filter((other) => other !== one);
  await one.host.close();
}

/** A second device of the same account. */
async function joinedTo(one: OpenHost): Promise<OpenHost> {
  const two = await online();
  const { code } = await one.ask.account.createLinkCode();
  await two.ask.account.join({ code: LinkCode.parse(code) });
  return two;
}

async function saySomething({ ask }: OpenHost, text: string): Promise<string> {
  const { sessionId } = await ask.practice.start({
    practiceId: LATE_DELIVERY,
    difficulty: 'easy',
    communicationStyle: 'text',
  });
  await ask.practice.sendTyped({ sessionId, text, hintLevel: 0 });
  return sessionId;
}

const wordsIn = async ({ ask }: OpenHost, sessionId: string): Promise<string[]> =>
  (await ask.practice.session({ sessionId })).turns.filter(({ role }) => role === 'learner').map(({ text }) => text);

const isPoisonous: NonNullable<TestServer['failOn']> = (change) => JSON.stringify(change.fields).includes('poisonous');

async function untilSynced({ ask }: OpenHost): Promise<void> {
  await expect
    .poll(async () => await ask.sync.run(), { timeout: 20_000, interval: 5 })
    .toMatchObject({ state: 'idle', waiting: 0 });
}

/** Far more tries than it takes to set changes aside. */
async function tryOften({ ask }: OpenHost): Promise<void> {
  for (let attempt = 0; attempt < 30; attempt += 1) await ask.sync.run();
}

describe('a server that fails', () => {
  it.each([
    ['on every request', () => (server.fail = 'internal')],
    ['on every change, though it answers an empty push', () => (server.failOn = () => true)],
  ])('%s has nothing set aside, and is sent everything once it has recovered', async (_how, breakDown) => {
    const one = await online();
    const two = await joinedTo(one);
    server.fail = 'sync.offline';
    const sessions = [await saySomething(one, 'bananas'), await saySomething(one, 'more bananas')];
    const waiting = readOutbox(one.dataDir).map(({ mutationId }) => mutationId);
    server.fail = null;
    breakDown();
    await tryOften(one);
    expect(await one.ask.sync.rejected()).toEqual([]);
    expect(readOutbox(one.dataDir).map(({ mutationId }) => mutationId)).toEqual(waiting);
    server.fail = null;
    server.failOn = null;
    await untilSynced(one);
    await untilSynced(two);
    expect(await Promise.all(sessions.map((id) => wordsIn(two, id)))).toEqual([['bananas'], ['more bananas']]);
  });

  it('on two changes has both set aside and takes everything else', async () => {
    const one = await online();
    const two = await joinedTo(one);
    server.fail = 'sync.offline';
    const sessionId = await saySomething(one, 'a poisonous banana');
    await one.ask.practice.sendTyped({ sessionId, text: 'a poisonous apple', hintLevel: 0 });
    await one.ask.practice.sendTyped({ sessionId, text: 'a pear', hintLevel: 0 });
    server.fail = null;
    server.failOn = isPoisonous;
    await untilSynced(one);
    const refused = await one.ask.sync.rejected();
    expect(refused.map(({ code, fields }) => [code, fields['content']])).toEqual([
      ['internal_error', 'a poisonous banana'],
      ['internal_error', 'a poisonous apple'],
    ]);
    await untilSynced(two);
    expect(await wordsIn(two, sessionId)).toEqual(['a pear']);
    expect(await wordsIn(one, sessionId)).toEqual(['a poisonous banana', 'a poisonous apple', 'a pear']);
  });

  it('and whose answer to the probe is lost loses no change', async () => {
    const one = await online();
    const two = await joinedTo(one);
    server.fail = 'sync.offline';
    const sessionId = await saySomething(one, 'a poisonous banana');
    server.fail = null;
    let lost = 0;
    server.failOn = (change) => {
      if (change.op === 'delete' && lost === 0) {
        lost += 1;
        server.fail = 'drop';
      }
      return isPoisonous(change);
    };
    while (lost === 0) await one.ask.sync.run();
    expect(await one.ask.sync.rejected()).toEqual([]);
    server.fail = null;
    server.failOn = null;
    await untilSynced(one);
    await untilSynced(two);
    expect(await wordsIn(two, sessionId)).toEqual(['a poisonous banana']);
  });
});

describe('a change that was set aside', () => {
  /** A session of which the server failed on everything, and a profile. */
  async function setAsideOnce(options: Parameters<typeof openHost>[0] = {}) {
    const one = await online(options);
    const two = await joinedTo(one);
    server.fail = 'sync.offline';
    const sessionId = await saySomething(one, 'a poisonous banana');
    server.fail = null;
    server.failOn = isPoisonous;
    await untilSynced(one);
    expect(await one.ask.sync.rejected()).toMatchObject([{ code: 'internal_error' }]);
    server.failOn = null;
    return { one, two, sessionId };
  }

  async function arrives(from: OpenHost, to: OpenHost, sessionId: string): Promise<void> {
    await untilSynced(from);
    expect(await from.ask.sync.rejected()).toEqual([]);
    await untilSynced(to);
    expect(await wordsIn(to, sessionId)).toEqual(['a poisonous banana']);
    expect(await wordsIn(from, sessionId)).toEqual(['a poisonous banana']);
  }

  it('is sent again once the server has another version, though nothing else is to be sent', async () => {
    const { one, two, sessionId } = await setAsideOnce();
    await server.upgrade('1.0.1');
    await arrives(one, two, sessionId);
  });

  it('is sent again by another version of the app', async () => {
    const { one, two, sessionId } = await setAsideOnce({ version: '1.0.0' });
    await close(one);
    const updated = await online({ dataDir: one.dataDir, version: '1.0.1' });
    await arrives(updated, two, sessionId);
  });

  it('is sent again once for each version, and not when nothing has changed', async () => {
    const { one } = await setAsideOnce({ version: '1.0.0' });
    let tries = 0;
    server.failOn = (change) => {
      if (isPoisonous(change)) tries += 1;
      return isPoisonous(change);
    };
    await close(one);
    const same = await online({ dataDir: one.dataDir, version: '1.0.0' });
    await untilSynced(same);
    expect(tries).toBe(0);
    await server.upgrade('1.0.2');
    await untilSynced(same);
    const triesOfOneVersion = tries;
    expect(triesOfOneVersion).toBeGreaterThan(0);
    expect(await same.ask.sync.rejected()).toMatchObject([{ code: 'internal_error' }]);
    await same.ask.settings.updateProfile({ firstName: 'Ana' });
    await untilSynced(same);
    expect(tries).toBe(triesOfOneVersion);
  });

  it('brings with it what hangs on it', async () => {
    const one = await online();
    const two = await joinedTo(one);
    server.fail = 'sync.offline';
    const sessionId = await saySomething(one, 'bananas');
    server.fail = null;
    // The deletion of a row that does not exist, which shows that the server works, is of the same table.
    server.failOn = ({ table, op }) => table === 'practice_history' && op !== 'delete';
    await untilSynced(one);
    expect(new Set((await one.ask.sync.rejected()).map(({ code }) => code))).toEqual(
      new Set(['internal_error', 'missing_reference']),
    );
    server.failOn = null;
    await server.upgrade('1.0.3');
    await untilSynced(one);
    expect(await one.ask.sync.rejected()).toEqual([]);
    await untilSynced(two);
    expect(await wordsIn(two, sessionId)).toEqual(['bananas']);
  });

  it('takes nothing back that was changed after it', async () => {
    const one = await online();
    const two = await joinedTo(one);
    await one.ask.settings.updateProfile({ jobTitle: 'Planner', firstName: 'Ana' });
    await untilSynced(one);
    await one.ask.settings.updateProfile({ jobTitle: 'A poisonous title', lastName: 'Novak' });
    server.failOn = isPoisonous;
    await untilSynced(one);
    await one.ask.settings.updateProfile({ jobTitle: 'Nurse' });
    await untilSynced(one);
    server.failOn = null;
    await server.upgrade('1.0.4');
    await untilSynced(one);
    await untilSynced(two);
    expect(await one.ask.sync.rejected()).toEqual([]);
    const expected = { jobTitle: 'Nurse', firstName: 'Ana', lastName: 'Novak' };
    for (const { ask } of [one, two]) expect((await ask.settings.read()).profile).toMatchObject(expected);
  });
});
