/** A server as a company would run it, whose clock a test can move: it lets learners in one by one, counts minutes, sells plans, writes e-mails. */
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { PCM_MEDIA_TYPE } from '@parley/contract';
import { bringInStarterCatalogue, buildApp, openDatabase } from '@parley/sync-server';
import { createOpenAiModel, createOpenAiTranscriber } from '@parley/sync-server/openai';
import { startOpenAiTwin } from '@parley/sync-server/openai/twin';
import { createSmtpTransport } from '@parley/sync-server/smtp';
import { startSmtpTwin } from '@parley/sync-server/smtp/twin';
import { connectStripe, createStripePayments, offerPlans } from '@parley/sync-server/stripe';
import { startStripeTwin, type StripeTwin } from '@parley/sync-server/stripe/twin';

const ADMIN = 'boss@example.com';
const TIME_ZONE = 'Europe/Berlin';
/** Before its minute is over, as the app does. */
const ASKS_EVERY_S = 50;

export interface ShopServer {
  address: string;
  stripe: StripeTwin;
  /** The code in the newest message to this address. */
  codeFor: (email: string) => Promise<string>;
  /** What the link in that message carries. */
  linkFor: (email: string) => string;
  /** Subjects of all that was written to them. */
  subjectsTo: (email: string) => string[];
  /** The admin lets everybody in who waits. */
  letIn: () => Promise<number>;
  /** The learner talks with a live coach on their phone, for so long by the server's clock. */
  talkElsewhere: (email: string, seconds: number) => Promise<void>;
  /** The admin ends their access. */
  takeAway: (email: string) => Promise<void>;
  stop: () => Promise<void>;
}

/** 16-bit mono at 16 kHz: a tone as loud as a voice. */
const A_SECOND_OF_VOICE = Int16Array.from({ length: 16_000 }, (_, at) => 8_000 * Math.sin(at / 12));

export async function startShopServer(): Promise<ShopServer> {
  const smtp = await startSmtpTwin();
  const stripe = await startStripeTwin({ startsAt: new Date() });
  const openAi = await startOpenAiTwin({ paceMs: 20 });
  const access = { apiKey: openAi.key, baseUrl: openAi.url };
  const database = await openDatabase({ type: 'memory' });
  const shop = { secretKey: stripe.key, address: new URL(stripe.url) };
  const seller = connectStripe(shop);
  await offerPlans(seller);
  let webhookSecret = '';
  const secret = randomUUID();
  // Pages and e-mails name the address before the server has it.
  const port = await freePort();
  const origin = `http://127.0.0.1:${port}`;
  const app = await buildApp({
    database,
    now: stripe.now,
    accountCallsAMinute: 10_000,
    ai: {
      services: {
        coach: { where: 'own', model: createOpenAiModel({ ...access, model: 'coach' }) },
        transcriber: { where: 'own', transcriber: createOpenAiTranscriber({ ...access, model: 'ears' }) },
        assessor: null,
        voice: null,
      },
      dailyLimitUsd: null,
      countsMinutes: true,
    },
    mail: {
      transport: createSmtpTransport({ url: smtp.url, from: 'Parley <hello@parley.test>' }),
      origin,
      secret,
      isScheduled: true,
    },
    payments: createStripePayments({ ...shop, webhookSecret: () => webhookSecret, now: stripe.now }),
    account: { access: 'granted', adminEmails: [ADMIN], origin, secret },
  });
  await bringInStarterCatalogue({ db: database.db, now: stripe.now });
  const address = await app.listen({ host: '127.0.0.1', port });
  const url = `${address}/v1/billing/webhook`;
  webhookSecret = (await seller.webhookEndpoints.create({ url, enabled_events: ['*'] })).secret ?? '';

  const to = (email: string) => smtp.mails.filter((mail) => mail.to.includes(email));
  const codeFor = async (email: string): Promise<string> => {
    const until = Date.now() + 20_000;
    for (;;) {
      const code = /^ +(\d{3}) (\d{3})$/m
        .exec(to(email).at(-1)?.text ?? '')
        ?.slice(1)
        .join('');
      if (code !== undefined) return code;
      if (Date.now() > until) throw new Error(`no code came for ${email}`);
      await sleep(100);
    }
  };
  async function ask(path: string, body: object, token?: string): Promise<Record<string, unknown>> {
    const answer = await fetch(`${address}${path}`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      },
      body: JSON.stringify(body),
    });
    const said = (await answer.json()) as Record<string, unknown>;
    if (!answer.ok) throw new Error(`${path}: ${JSON.stringify(said)}`);
    return said;
  }
  /** The transcriber puts it into words: only what it hears is counted. */
  async function saySomething(sessionId: string, phone: string): Promise<void> {
    const answer = await fetch(`${address}/v1/speech/transcribe?sessionId=${sessionId}`, {
      method: 'POST',
      headers: { 'content-type': PCM_MEDIA_TYPE, authorization: `Bearer ${phone}` },
      body: new Uint8Array(A_SECOND_OF_VOICE.buffer),
    });
    if (!answer.ok) throw new Error(`transcribe: ${await answer.text()}`);
  }
  async function signIn(email: string, name: string): Promise<string> {
    const before = to(email).length;
    const { requestId } = await ask('/v1/account/request-sign-in', { email });
    while (to(email).length === before) await sleep(100);
    const device = { deviceId: randomUUID(), name, platform: 'linux', timeZone: TIME_ZONE };
    const { credentials } = await ask('/v1/account/sign-in', {
      email,
      requestId,
      code: await codeFor(email),
      ...device,
    });
    return (credentials as { token: string }).token;
  }
  let token: string | null = null;
  async function asAdmin(call: string, body: object): Promise<Record<string, unknown>> {
    token ??= await signIn(ADMIN, 'The office');
    return ask(`/v1/admin/${call}`, body, token);
  }
  const usersWho = async (wanted: object): Promise<string[]> => {
    const { users } = (await asAdmin('users', { page: 0, ...wanted })) as { users: { userId: string }[] };
    return users.map(({ userId }) => userId);
  };
  return {
    address,
    stripe,
    codeFor,
    linkFor: (email) => {
      const link = /[?&]link=([\w-]+)/.exec(to(email).at(-1)?.text ?? '')?.[1];
      if (link === undefined) throw new Error(`no link came for ${email}`);
      return link;
    },
    subjectsTo: (email) => to(email).map(({ subject }) => subject),
    letIn: async () => {
      const waiting = await usersWho({ only: 'waiting' });
      for (const userId of waiting) await asAdmin('grant-access', { userId, reason: 'They asked.' });
      return waiting.length;
    },
    talkElsewhere: async (email, seconds) => {
      const phone = await signIn(email, 'Phone');
      const sessionId = randomUUID();
      const wish = { sessionId, style: 'turn_based', timeZone: TIME_ZONE, takeOver: false };
      for (let leftS = seconds; leftS > 0; leftS -= ASKS_EVERY_S) {
        await ask('/v1/coach/lease', wish, phone);
        await saySomething(sessionId, phone);
        await stripe.advance(Math.min(ASKS_EVERY_S, leftS) * 1_000);
      }
      await ask('/v1/coach/release', { sessionId }, phone);
    },
    takeAway: async (email) => {
      // The clock has moved by weeks: an admin's sign-in lasts twelve hours.
      token = null;
      for (const userId of await usersWho({ search: email }))
        await asAdmin('revoke-access', { userId, reason: 'The pilot is over.' });
    },
    stop: async () => {
      await app.close();
      await database.close();
      await Promise.all([smtp.close(), stripe.close(), openAi.close()]);
    },
  };
}

async function freePort(): Promise<number> {
  const probe = createServer();
  probe.listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const { port } = probe.address() as AddressInfo;
  probe.close();
  await once(probe, 'close');
  return port;
}
