/** A server on which learners sign in with their addresses, and the devices of a test. */
import { type DatabaseConnection, eraseDueAccounts } from '@parley/sync-server';
import { openMemoryDatabase } from '@parley/sync-server/test-kit';
import { sql } from 'drizzle-orm';
import { afterAll, afterEach, beforeAll, beforeEach, expect } from 'vitest';
import { createDevices, type Devices } from './devices.ts';
import { aClock, type OpenHost } from './open-host.ts';
import { aMailbox, type Mailbox } from './test-mailbox.ts';
import { startServer, type TestServer } from './test-server.ts';

export interface SignInScene {
  clock: ReturnType<typeof aClock>;
  mailbox: Mailbox;
  devices: Devices;
  readonly server: TestServer;
  /** The learner's address, different in each test. */
  readonly email: string;
  /** Opens a device that is signed in. */
  signedIn(address?: string): Promise<OpenHost>;
  /** Erases the account, as the hourly clean-up does thirty days after the request. */
  erase(userId: string): Promise<void>;
}

/** Call this at the top of a test file. */
export function setUpSignIn(): SignInScene {
  const clock = aClock();
  const mailbox = aMailbox();
  let database: DatabaseConnection;
  let server: TestServer;
  let learners = 0;
  const devices = createDevices(() => ({ serverUrl: server.url, clock }));
  const email = (): string => `learner${learners}@example.com`;
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
    server.fail = null;
    learners += 1;
  });
  afterEach(() => devices.closeAll());
  afterAll(() => server.close());

  return {
    clock,
    mailbox,
    devices,
    get server() {
      return server;
    },
    get email() {
      return email();
    },
    async signedIn(address = email()) {
      const device = await devices.open();
      await mailbox.signIn(device, address);
      return device;
    },
    async erase(userId) {
      const at = clock.now();
      await server.execute(
        sql`insert into account_deletions (user_id, requested_at, erase_at) values (${userId}, ${at}, ${at})`,
      );
      const onFailure = (error: unknown): void => {
        throw error;
      };
      expect(await eraseDueAccounts({ db: database.db, now: clock.now, onFailure })).toBe(1);
    },
  };
}
