/** Starts a server with its admin panel and opens the panel in a real Chromium. Mails are kept in memory. */
import { randomUUID } from 'node:crypto';
import { createServer } from 'node:net';
import { once } from 'node:events';
import { type AppOptions, bringInStarterCatalogue, buildApp, type DatabaseConnection } from '@parley/sync-server';
import { openMemoryDatabase } from '@parley/sync-server/test-kit';
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright';
import { findTestBrowser } from '../app/find-test-browser.ts';

export const ADMIN = 'ines.duarte@nordhafen.example';

export interface SentMail {
  to: string;
  subject: string;
  text: string;
}

export interface PanelServer {
  address: string;
  database: DatabaseConnection;
  /** Every mail that the mail server accepted. */
  mails: SentMail[];
  /** Makes the mail server refuse connections, or accept them again. */
  failMail: (isFailing: boolean) => void;
  /** Advances the server's clock. */
  advanceClock: (ms: number) => void;
  now: () => Date;
  codeFor: (email: string) => Promise<string>;
  stop: () => Promise<void>;
}

export interface PanelServerOptions extends Pick<AppOptions, 'ai'> {
  /** Whether the server says that it only writes e-mails to its folder. */
  writesMail?: boolean;
}

/** Without `ai`, the server has no language model and no voice. */
export async function startPanelServer({ ai, writesMail = false }: PanelServerOptions = {}): Promise<PanelServer> {
  const database = await openMemoryDatabase();
  const mails: SentMail[] = [];
  let isFailing = false;
  let aheadMs = 0;
  const now = (): Date => new Date(Date.now() + aheadMs);
  const port = await freePort();
  const origin = `http://127.0.0.1:${port}`;
  const secret = randomUUID();
  const app = await buildApp({
    database,
    now,
    strictRequestsPerMinute: 10_000,
    mail: {
      transport: {
        name: 'memory',
        ...(writesMail ? { writesToFolder: true } : {}),
        send: async ({ to, subject, text }) => {
          if (isFailing) return { outcome: 'deferred', trouble: 'The mail server refuses connections.' };
          mails.push({ to, subject, text });
          return { outcome: 'accepted' };
        },
      },
      origin,
      secret,
      isScheduled: true,
    },
    runsJobs: true,
    ...(ai === undefined ? {} : { ai }),
    account: { access: 'granted', adminEmails: [ADMIN], origin, secret },
  });
  await bringInStarterCatalogue({ db: database.db, now });
  const address = await app.listen({ host: '127.0.0.1', port });
  return {
    address,
    database,
    mails,
    now,
    failMail: (failing) => {
      isFailing = failing;
    },
    advanceClock: (ms) => {
      aheadMs += ms;
    },
    codeFor: async (email) => {
      for (let tries = 0; tries < 200; tries += 1) {
        const newest = mails.findLast(({ to }) => to === email);
        const code = /^ +(\d{3}) (\d{3})$/m.exec(newest?.text ?? '');
        if (code !== null) return code.slice(1).join('');
        await new Promise((resolve) => {
          setTimeout(resolve, 100);
        });
      }
      throw new Error(`No code arrived for ${email}.`);
    },
    stop: async () => {
      await app.close();
      await database.close();
    },
  };
}

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const bound = probe.address();
  probe.close();
  await once(probe, 'close');
  return typeof bound === 'object' && bound !== null ? bound.port : 0;
}

export async function launchPanelBrowser(): Promise<Browser> {
  const args = ['--disable-background-networking', ...(process.getuid?.() === 0 ? ['--no-sandbox'] : [])];
  return chromium.launch({ executablePath: findTestBrowser(), args });
}

export interface PanelOptions {
  colorScheme?: 'light' | 'dark';
  width?: number;
  height?: number;
  isOwnSession?: boolean;
}

export interface Panel {
  page: Page;
  /** Errors of scripts and of the content policy. */
  problems: string[];
}

/** The session cookies that panels share, by server, because an address gets only a few sign-in e-mails an hour. */
const sessions = new WeakMap<PanelServer, Awaited<ReturnType<BrowserContext['storageState']>>>();

/** Opens the panel, signed in as the admin. With `isOwnSession`, it signs in again with the code from the e-mail. */
export async function openPanel(
  browser: Browser,
  server: PanelServer,
  { colorScheme = 'light', width = 1280, height = 860, isOwnSession = false }: PanelOptions = {},
): Promise<Panel> {
  const shared = isOwnSession ? undefined : sessions.get(server);
  const context = await browser.newContext({
    viewport: { width, height },
    colorScheme,
    ...(shared === undefined ? {} : { storageState: shared }),
  });
  const page = await context.newPage();
  page.setDefaultTimeout(30_000);
  const problems: string[] = [];
  page.on('pageerror', (error) => problems.push(error.message));
  page.on('console', (message) => {
    // Refused calls are part of the product: without a session, the first call is refused.
    if (message.type() === 'error' && !message.text().includes('Failed to load resource'))
      problems.push(message.text());
  });
  await page.goto(`${server.address}/admin`);
  if (shared === undefined) await signIn(page, server);
  if (!isOwnSession) sessions.set(server, await context.storageState());
  await page.getByRole('navigation', { name: 'Admin' }).waitFor();
  return { page, problems };
}

export async function signIn(page: Page, server: PanelServer): Promise<void> {
  const before = server.mails.length;
  await page.getByLabel('Your e-mail address').fill(ADMIN);
  await page.getByRole('button', { name: 'Send me a code' }).click();
  await page.getByLabel('Code').waitFor();
  for (let tries = 0; server.mails.length === before && tries < 200; tries += 1) await page.waitForTimeout(100);
  await page.getByLabel('Code').fill(await server.codeFor(ADMIN));
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await page.getByRole('navigation', { name: 'Admin' }).waitFor();
}
