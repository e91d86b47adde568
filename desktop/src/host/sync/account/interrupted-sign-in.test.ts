/** A sign-in whose move to the account fails, or is cut off by a crash, after the token was stored. */
import { type DatabaseConnection, eraseDueAccounts } from '@parley/sync-server';
import { openMemoryDatabase } from '@parley/sync-server/test-kit';
import { sql } from 'drizzle-orm';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { LATE_DELIVERY } from '../../test-kit/test-catalogue.ts';
import { aMailbox } from '../../test-kit/test-mailbox.ts';
import { startServer, type TestServer } from '../../test-kit/test-server.ts';
import { aClock, type OpenHost, openHost, removeDataFolders } from '../../test-kit/open-host.ts';
import { inDatabase, readOutbox } from '../../test-kit/read-database.ts';

const clock = aClock();
const mailbox = aMailbox();
let database: DatabaseConnection;
let server: TestServer;
let opened: OpenHost[] = [];
let learners = 0;
let email = '';
beforeAll(async () => {
  database = await openMemoryDatabase();
  server = await startServer({
    database,
    now: clock.now,
    account: { access: 'open' },
    enqueueMail: mailbox.enqueueMail,
  });
});
beforeEach(() => {
  learners += 1;
  email = `interrupted${learners}@example.com`;
});
afterEach(async () => {
  await Promise.all(opened.map(({ host }) => host.close()));
  opened = [];
  removeDataFolders();
});
afterAll(() => server.close());

async function online(dataDir?: string): Promise<OpenHost> {
  const one = await openHost({ serverUrl: server.url, clock, ...(dataDir === undefined ? {} : { dataDir }) });
  opened.push(one);
  await one.host.whenIdle();
  return one;
}

async function reopened(one: OpenHost): Promise<OpenHost> {
  await one.host.close();
  opened = opened.filter((each) => each !== one);
  return online(one.dataDir);
}

async function aSession({ ask }: OpenHost, text: string): Promise<string> {
  const { sessionId } = await ask.practice.start({
    practiceId: LATE_DELIVERY,
    difficulty: 'easy',
    communicationStyle: 'text',
  });
  await ask.practice.sendTyped({ sessionId, text, hintLevel: 0 });
  return sessionId;
}

async function untilSynced(...devices: OpenHost[]): Promise<void> {
  for (const { ask } of devices)
    await expect
      .poll(async () => await ask.sync.run(), { timeout: 10_000 })
      .toMatchObject({ state: 'idle', waiting: 0, rejected: 0 });
}

const sessionsOf = async ({ ask }: OpenHost): Promise<string[]> =>
  (await ask.history.list({ search: '', offset: 0, limit: 50 })).items.map(({ sessionId }) => sessionId).toSorted();

const userOf = ({ dataDir }: OpenHost): string =>
  inDatabase(dataDir, (sqlite) => sqlite.prepare<[], string>('SELECT user_id FROM sync_state').pluck().get() ?? '');

const parkedOn = ({ dataDir }: OpenHost): unknown[] => readOutbox(dataDir).filter((row) => row.putAwayFor !== null);

/** Erases the account as the hourly clean-up does. */
async function erase(userId: string): Promise<void> {
  const at = clock.now();
  await server.execute(
    sql`insert into account_deletions (user_id, requested_at, erase_at) values (${userId}, ${at}, ${at})`,
  );
  const onFailure = (error: unknown): void => {
    throw error;
  };
  expect(await eraseDueAccounts({ db: database.db, now: clock.now, onFailure })).toBe(1);
}

/** Makes each move to another account fail, like a full disk, until the returned function is called. */
function preventMoves({ dataDir }: OpenHost): () => void {
  inDatabase(dataDir, (sqlite) =>
    sqlite.exec(
      `CREATE TRIGGER no_moves BEFORE UPDATE OF user_id, device_id ON sync_state BEGIN SELECT raise(ABORT, 'no room'); END`,
    ),
  );
  return () => inDatabase(dataDir, (sqlite) => sqlite.exec('DROP TRIGGER no_moves'));
}

/** Signs in, but the device does not get as far as moving to the account. */
async function signInOnly(one: OpenHost, address: string): Promise<() => void> {
  const allowMoves = preventMoves(one);
  await expect(mailbox.signIn(one, address)).rejects.toThrow();
  return allowMoves;
}

async function signedIn(): Promise<OpenHost> {
  const one = await online();
  await mailbox.signIn(one, email);
  return one;
}

describe('an interrupted sign-in with the address of an erased account', () => {
  async function anErasedLearner(): Promise<{ laptop: OpenHost; erased: string }> {
    const laptop = await signedIn();
    await aSession(laptop, 'bananas');
    await untilSynced(laptop);
    const erased = userOf(laptop);
    await erase(erased);
    return { laptop, erased };
  }

  it.each([
    ['the app was killed', true],
    ['the move failed', false],
  ])('moves all work to the new account after %s', async (_why, isKilled) => {
    const { laptop, erased } = await anErasedLearner();
    const allowMoves = await signInOnly(laptop, email);
    if (isKilled) {
      await laptop.host.close();
      opened = [];
    }
    allowMoves();
    const later = isKilled ? await online(laptop.dataDir) : laptop;
    await untilSynced(later);
    expect(userOf(later)).not.toBe(erased);
    expect(parkedOn(later)).toEqual([]);
    expect(await sessionsOf(later)).toHaveLength(1);
    const phone = await signedIn();
    await untilSynced(phone);
    expect(await sessionsOf(phone)).toEqual(await sessionsOf(later));
  });

  it('moves all work although the account was never viewed', async () => {
    const { laptop } = await anErasedLearner();
    inDatabase(laptop.dataDir, (sqlite) => sqlite.exec('DELETE FROM known_account'));
    await mailbox.signIn(laptop, email);
    await untilSynced(laptop);
    expect(parkedOn(laptop)).toEqual([]);
    expect(await sessionsOf(laptop)).toHaveLength(1);
  });
});

describe('an interrupted sign-in of another learner', () => {
  it('gives the newcomer nothing, and parks nothing that the server has', async () => {
    const laptop = await signedIn();
    const session = await aSession(laptop, 'bananas');
    await untilSynced(laptop);
    const former = userOf(laptop);
    const allowMoves = await signInOnly(laptop, `other-${email}`);
    const reopenedLaptop = await reopened(laptop);
    // The server's answer about the new account must not be applied to the former one.
    await reopenedLaptop.ask.account.state();
    await reopenedLaptop.ask.sync.run();
    expect(userOf(reopenedLaptop)).toBe(former);
    allowMoves();
    await untilSynced(reopenedLaptop);
    expect(userOf(reopenedLaptop)).not.toBe(former);
    expect(await sessionsOf(reopenedLaptop)).toEqual([]);
    expect(parkedOn(reopenedLaptop)).toEqual([]);
    await mailbox.signIn(reopenedLaptop, email);
    expect(await sessionsOf(reopenedLaptop)).toEqual([session]);
  });
});

describe('a move that fails at each start', () => {
  it('opens the app with the work as it was, reports it, and moves the work when it can', async () => {
    const phone = await signedIn();
    const laptop = await online();
    const session = await aSession(laptop, 'bananas');
    await untilSynced(laptop);
    const allowMoves = await signInOnly(laptop, email);
    expect(await laptop.ask.sync.status()).toMatchObject({ state: 'not_moved' });
    const restarted = await reopened(laptop);
    expect(await restarted.ask.sync.run()).toMatchObject({ state: 'not_moved' });
    expect(await sessionsOf(restarted)).toEqual([session]);
    const later = await aSession(restarted, 'bananas of a later day');
    expect(await sessionsOf(restarted)).toEqual([session, later].toSorted());
    allowMoves();
    await untilSynced(restarted, phone);
    expect(userOf(restarted)).toBe(userOf(phone));
    expect(await sessionsOf(phone)).toHaveLength(2);
  });
});
