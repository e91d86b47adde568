/**
 * A server with an admin, signed in on a device and in a browser, and a mail server whose responses the test
 * determines.
 */
import { randomUUID } from 'node:crypto';
import { eq } from 'drizzle-orm';
import { afterAll, beforeAll } from 'vitest';
import type { AppOptions } from '../../src/compose/app-options.ts';
import type { DatabaseConnection } from '../../src/db/client.ts';
import { webSessions } from '../../src/db/tables.ts';
import { createMail, type MailTransport } from '../../src/mail/index.ts';
import { anEmail } from '../mailbox.ts';
import { type JsonResponse, startServer, type TestServer } from '../server.ts';

export interface SentMail {
  to: string;
  text: string;
}

export interface SchoolFixture {
  server: TestServer;
  adminEmail: string;
  adminId: string;
  /** Calls as the admin, from the panel's own page. */
  ask: (call: string, body: object) => Promise<JsonResponse>;
  /** Signs a browser in and returns its cookie. */
  signInBrowser: (email: string) => Promise<string>;
  askAs: (cookie: string, call: string, body: object) => Promise<JsonResponse>;
  /** Confirms the admin as if they had just entered a code. */
  confirm: () => Promise<unknown>;
  mails: SentMail[];
  isMailFailing: boolean;
  sendDue: () => Promise<unknown>;
}

export function setUpSchool(
  open: () => Promise<DatabaseConnection>,
  options: Pick<AppOptions, 'media' | 'ai'> = {},
): SchoolFixture {
  const scene = { mails: [] as SentMail[], isMailFailing: false, adminEmail: anEmail() } as unknown as SchoolFixture;
  let cookie = '';
  beforeAll(async () => {
    const database = await open();
    const transport: MailTransport = {
      name: 'test',
      send: async ({ to, text }) => {
        if (scene.isMailFailing) return { outcome: 'deferred', trouble: 'try later' };
        scene.mails.push({ to, text });
        return { outcome: 'accepted' };
      },
    };
    const mail = { origin: 'https://parley.example', secret: 'secret', transport };
    scene.server = await startServer(database, {
      withCatalogue: true,
      account: { access: 'granted', adminEmails: [scene.adminEmail], origin: 'https://parley.example' },
      mail,
      ...options,
    });
    const { now } = scene.server;
    // The server sends on a schedule; a test sends when it needs to.
    const sender = createMail({ ...mail, db: database.db, now, newId: randomUUID, onChanged: () => undefined });
    scene.sendDue = () => sender.sendDue();
    cookie = await scene.signInBrowser(scene.adminEmail);
    const { body } = await scene.ask('overview', {});
    scene.adminId = (body['me'] as { userId: string }).userId;
  });
  afterAll(() => scene.server.close());

  const send = (url: string, payload: object, cookieHeader: string) =>
    scene.server.app.inject({
      method: 'POST',
      url,
      headers: {
        host: 'parley.example',
        'sec-fetch-site': 'same-origin',
        ...(cookieHeader === '' ? {} : { cookie: cookieHeader }),
      },
      payload,
    });
  scene.askAs = async (by, call, body) => {
    const { statusCode, payload } = await send(`/v1/admin/${call}`, body, by);
    return { status: statusCode, body: JSON.parse(payload) as JsonResponse['body'] };
  };
  scene.confirm = () =>
    scene.server.database.db
      .update(webSessions)
      .set({ confirmedAt: scene.server.now() })
      .where(eq(webSessions.userId, scene.adminId));
  scene.ask = (call, body) => scene.askAs(cookie, call, body);
  scene.signInBrowser = async (email) => {
    const { requestId } = (await send('/v1/web/request-sign-in', { email }, '')).json<{ requestId: string }>();
    const code = await codeFor(scene, email);
    const answer = await send('/v1/web/sign-in', { email, requestId, code }, '');
    return [answer.headers['set-cookie'] ?? []]
      .flat()
      .map((each) => each.split(';')[0])
      .join('; ');
  };
  return scene;
}

async function codeFor(scene: SchoolFixture, email: string): Promise<string> {
  const { isMailFailing } = scene;
  scene.isMailFailing = false;
  await scene.sendDue();
  scene.isMailFailing = isMailFailing;
  const codes = scene.mails.flatMap(({ to, text }) =>
    to === email ? (/^ +(\d{3}) (\d{3})$/m.exec(text)?.slice(1).join('') ?? []) : [],
  );
  return codes.at(-1) ?? '';
}
