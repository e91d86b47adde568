/** Somebody with an address at a browser, and their e-mails, on a server that browsers find by TLS. */
import { afterAll, beforeAll, beforeEach } from 'vitest';
import type { DatabaseConnection } from '../../db/client.ts';
import { type Browser, openBrowser, type Page } from '../../test-kit/browser.ts';
import { anAddress, type Mailbox, openMailbox } from '../../test-kit/mailbox.ts';
import { startServer, type TestServer } from '../../test-kit/server.ts';

/** The cookie that a session is. */
export const SESSION = '__Host-parley';

export interface WebScene {
  server: TestServer;
  /** On the same database and with the same e-mails, without TLS. */
  plain: TestServer;
  mailbox: Mailbox;
  /** Another in each test. */
  browser: Browser;
  /** Another in each test. */
  email: string;
  /** The secret of the link that they are sent. */
  aLink: () => Promise<string>;
  linkPage: (by?: Browser) => Promise<Page>;
  signIn: (by?: Browser) => Promise<Page>;
}

/** For the suite that calls this: empty until its tests begin, closed when they are over. */
export function setUpWebScene(open: () => Promise<DatabaseConnection>): WebScene {
  const scene = {
    aLink: async () => {
      await scene.server.post('/v1/account/request-sign-in', { email: scene.email });
      return scene.mailbox.link(scene.email);
    },
    linkPage: async (by = scene.browser) => by.get(`/sign-in?link=${await scene.aLink()}`),
    signIn: async (by = scene.browser) => by.submit(await scene.linkPage(by), '/sign-in'),
  } as WebScene;
  beforeAll(async () => {
    scene.mailbox = openMailbox();
    const database = await open();
    const enqueueMail = scene.mailbox.enqueue;
    const account = { access: 'granted', origin: 'https://parley.example' } as const;
    scene.server = await startServer(database, { enqueueMail, account: { ...account, hasSecureCookies: true } });
    scene.plain = await startServer(database, { enqueueMail });
  });
  beforeEach(() => {
    scene.browser = openBrowser(scene.server);
    scene.email = anAddress();
  });
  afterAll(async () => {
    await scene.plain.app.close();
    await scene.server.close();
  });
  return scene;
}
