/** Test fixture for attacks on accounts: a server with an admin, an address and its mailbox. */
import { afterAll, beforeAll, beforeEach } from 'vitest';
import type { DatabaseConnection } from '../../src/db/client.ts';
import { anEmail, type Mailbox, createMailbox, createSignInApp } from '../mailbox.ts';
import { type JsonResponse, startServer, type TestServer } from '../server.ts';

export const MINUTE_MS = 60_000;

export interface AccountAttackFixture {
  server: TestServer;
  mailbox: Mailbox;
  /** The address of the configured admin. */
  adminEmail: string;
  /** New for each test. */
  email: string;
  /** Requests a sign-in message, by default to the test's address. */
  request: (to?: string) => Promise<JsonResponse>;
  /** Posts as the same app as `request`. */
  post: TestServer['post'];
}

/** Call it inside a suite: the server starts before the tests and closes after them. */
export function setUpAccountAttackFixture(open: () => Promise<DatabaseConnection>): AccountAttackFixture {
  const post = createSignInApp(() => scene.server);
  const scene = {
    adminEmail: anEmail(),
    request: (to = scene.email) => post('/v1/account/request-sign-in', { email: to }),
    post,
  } as AccountAttackFixture;
  beforeAll(async () => {
    scene.mailbox = createMailbox();
    scene.server = await startServer(await open(), {
      enqueueMail: scene.mailbox.enqueue,
      logLevel: 'trace',
      account: { adminEmails: [scene.adminEmail], hasSecureCookies: true },
    });
  });
  beforeEach(() => {
    scene.email = anEmail();
    // A day passes, so that the limit on messages to the admin's address is reset.
    scene.server.advanceClock(25 * 60 * MINUTE_MS);
  });
  afterAll(() => scene.server.close());
  return scene;
}
