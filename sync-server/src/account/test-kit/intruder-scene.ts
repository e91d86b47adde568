/** Somebody with an address, their e-mails, and a server with an admin: what whoever wants into an account begins with. */
import { afterAll, beforeAll, beforeEach } from 'vitest';
import type { DatabaseConnection } from '../../db/client.ts';
import { anAddress, type Mailbox, openMailbox, signingApp } from '../../test-kit/mailbox.ts';
import { type Answer, startServer, type TestServer } from '../../test-kit/server.ts';

export const MINUTE_MS = 60_000;

export interface IntruderScene {
  server: TestServer;
  mailbox: Mailbox;
  /** Of the one who is an admin here from the start. */
  adminEmail: string;
  /** Another in each test. */
  email: string;
  /** Asks for a message to this address, that of the test when nothing is said. */
  request: (to?: string) => Promise<Answer>;
  /** By the same app as `request`. */
  post: TestServer['post'];
}

/** For the suite that calls this: empty until its tests begin, closed when they are over. */
export function setUpIntruderScene(open: () => Promise<DatabaseConnection>): IntruderScene {
  const post = signingApp(() => scene.server);
  const scene = {
    adminEmail: anAddress(),
    request: (to = scene.email) => post('/v1/account/request-sign-in', { email: to }),
    post,
  } as IntruderScene;
  beforeAll(async () => {
    scene.mailbox = openMailbox();
    scene.server = await startServer(await open(), {
      enqueueMail: scene.mailbox.enqueue,
      logLevel: 'trace',
      account: { adminEmails: [scene.adminEmail], hasSecureCookies: true },
    });
  });
  beforeEach(() => {
    scene.email = anAddress();
    // Another day, on which the admin may be written to again.
    scene.server.pass(25 * 60 * MINUTE_MS);
  });
  afterAll(() => scene.server.close());
  return scene;
}
