/** Test fixture for web pages: a browser, an address and its mailbox, and a server behind TLS. */
import { afterAll, beforeAll, beforeEach } from 'vitest';
import type { DatabaseConnection } from '../../src/db/client.ts';
import { type Browser, openBrowser, type Page } from '../browser.ts';
import { anEmail, type Mailbox, createMailbox } from '../mailbox.ts';
import { startServer, type TestServer } from '../server.ts';

/** The name of the session cookie. */
export const SESSION_COOKIE = '__Host-parley';

export interface WebFixture {
  server: TestServer;
  /** A server on the same database and mailbox, without TLS. */
  plainServer: TestServer;
  mailbox: Mailbox;
  /** New for each test. */
  browser: Browser;
  /** New for each test. */
  email: string;
  /** Requests a sign-in link and returns its secret. */
  requestLink: () => Promise<string>;
  openLinkPage: (by?: Browser) => Promise<Page>;
  signIn: (by?: Browser) => Promise<Page>;
}

/** Call it inside a suite: the servers start before the tests and close after them. */
export function setUpWebFixture(open: () => Promise<DatabaseConnection>): WebFixture {
  const scene = {
    requestLink: async () => {
      await scene.server.post('/v1/account/request-sign-in', { email: scene.email });
      return scene.mailbox.link(scene.email);
    },
    openLinkPage: async (by = scene.browser) => by.get(`/sign-in?link=${await scene.requestLink()}`),
    signIn: async (by = scene.browser) => by.submit(await scene.openLinkPage(by), '/sign-in'),
  } as WebFixture;
  beforeAll(async () => {
    scene.mailbox = createMailbox();
    const database = await open();
    const enqueueMail = scene.mailbox.enqueue;
    const account = { access: 'granted', origin: 'https://parley.example' } as const;
    scene.server = await startServer(database, { enqueueMail, account: { ...account, hasSecureCookies: true } });
    scene.plainServer = await startServer(database, { enqueueMail });
  });
  beforeEach(() => {
    scene.browser = openBrowser(scene.server);
    scene.email = anEmail();
  });
  afterAll(async () => {
    await scene.plainServer.app.close();
    await scene.server.close();
  });
  return scene;
}
