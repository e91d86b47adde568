/** Starts a commercial server with a clock that tests can advance: access requests, metered minutes, plans and e-mails. */
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { PCM_MEDIA_TYPE } from '@parley/contract';
import { bringInStarterCatalogue, buildApp } from '@parley/sync-server';
import { openMemoryDatabase } from '@parley/sync-server/test-kit';
import { createOpenAiModel, createOpenAiTranscriber } from '@parley/sync-server/openai';
import { startOpenAiFake } from '@parley/fakes/openai/index.ts';
import { createSmtpTransport } from '@parley/sync-server/smtp';
import { startSmtpFake } from '@parley/fakes/smtp/index.ts';
import { connectStripe, createStripePayments } from '@parley/sync-server/stripe';
import { startStripeFake, type StripeFake, seedPlans } from '@parley/fakes/stripe/index.ts';

const ADMIN = 'boss@example.com';
/**
 * A time zone in which it is about noon, for all devices: a free plan's minutes reset at the learner's midnight, which
 * must not fall between the moment when they are used up and the moment when the app learns of it. The sign in these
 * names is reversed.
 */
const TIME_ZONE = ((hour) => `Etc/GMT${hour < 12 ? '-' : '+'}${Math.abs(12 - hour)}`)(new Date().getUTCHours());
/** Renews the lease before its minute ends, as the app does. */
const LEASE_INTERVAL_S = 50;

export interface CommercialServer {
  address: string;
  stripeFake: StripeFake;
  /** The code in the newest message to this address. */
  codeFor: (email: string) => Promise<string>;
  /** The secret of the link in that message. */
  linkFor: (email: string) => string;
  /** The subjects of all messages to this address. */
  subjectsTo: (email: string) => string[];
  /** Grants access to every waiting learner, as the admin. */
  grantWaiting: () => Promise<number>;
  /** Uses minutes with a model coach on the learner's phone, for this long by the server's clock. */
  spendMinutesElsewhere: (email: string, seconds: number) => Promise<void>;
  /** Revokes the learner's access, as the admin. */
  revokeAccess: (email: string) => Promise<void>;
  stop: () => Promise<void>;
}

/** 16-bit mono at 16 kHz: a tone as loud as a voice. */
const ONE_SECOND_OF_VOICE = Int16Array.from({ length: 16_000 }, (_, at) => 8_000 * Math.sin(at / 12));

export async function startCommercialServer(): Promise<CommercialServer> {
  const formerTimeZone = process.env['TZ'];
  // The app and its browser are started later, and inherit this.
  process.env['TZ'] = TIME_ZONE;
  const smtp = await startSmtpFake();
  const stripeFake = await startStripeFake({ startsAt: new Date() });
  const openAi = await startOpenAiFake({ paceMs: 20 });
  const access = { apiKey: openAi.key, baseUrl: openAi.url };
  const database = await openMemoryDatabase();
  const shop = { secretKey: stripeFake.key, baseUrl: new URL(stripeFake.url) };
  const seller = connectStripe(shop);
  await seedPlans(seller);
  let webhookSecret = '';
  const secret = randomUUID();
  // Pages and e-mails contain the address, so the port is chosen before the server starts.
  const port = await freePort();
  const origin = `http://127.0.0.1:${port}`;
  const app = await buildApp({
    database,
    now: stripeFake.now,
    strictRequestsPerMinute: 10_000,
    ai: {
      services: {
        coach: { where: 'own', model: createOpenAiModel({ ...access, model: 'coach' }) },
        transcriber: { where: 'own', transcriber: createOpenAiTranscriber({ ...access, model: 'transcriber' }) },
        assessor: null,
        voice: null,
      },
      dailyLimitUsd: null,
      isMetered: true,
    },
    mail: {
      transport: createSmtpTransport({ url: smtp.url, from: 'Parley <hello@parley.test>' }),
      origin,
      secret,
      isScheduled: true,
    },
    runsJobs: true,
    payments: createStripePayments({ ...shop, webhookSecret: () => webhookSecret, now: stripeFake.now }),
    account: { access: 'granted', adminEmails: [ADMIN], origin, secret },
  });
  await bringInStarterCatalogue({ db: database.db, now: stripeFake.now });
  const address = await app.listen({ host: '127.0.0.1', port });
  const url = `${address}/v1/billing/webhook`;
  webhookSecret = (await seller.webhookEndpoints.create({ url, enabled_events: ['*'] })).secret ?? '';

  const mailsTo = (email: string) => smtp.mails.filter((mail) => mail.to.includes(email));
  const codeFor = async (email: string): Promise<string> => {
    const until = Date.now() + 20_000;
    for (;;) {
      const code = /^ +(\d{3}) (\d{3})$/m
        .exec(mailsTo(email).at(-1)?.text ?? '')
        ?.slice(1)
        .join('');
      if (code !== undefined) return code;
      if (Date.now() > until) throw new Error(`No code arrived for ${email}.`);
      await sleep(100);
    }
  };
  async function post(path: string, body: object, token?: string): Promise<Record<string, unknown>> {
    const answer = await fetch(`${address}${path}`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      },
      body: JSON.stringify(body),
    });
    const response = (await answer.json()) as Record<string, unknown>;
    if (!answer.ok) throw new Error(`${path}: ${JSON.stringify(response)}`);
    return response;
  }
  /** Sends audio to be transcribed, because only transcribed audio is metered. */
  async function sendUtterance(sessionId: string, phone: string): Promise<void> {
    const answer = await fetch(`${address}/v1/speech/transcribe?sessionId=${sessionId}`, {
      method: 'POST',
      headers: { 'content-type': PCM_MEDIA_TYPE, authorization: `Bearer ${phone}` },
      body: new Uint8Array(ONE_SECOND_OF_VOICE.buffer),
    });
    if (!answer.ok) throw new Error(`transcribe: ${await answer.text()}`);
  }
  async function signIn(email: string, name: string): Promise<string> {
    const before = mailsTo(email).length;
    const { requestId } = await post('/v1/account/request-sign-in', { email });
    while (mailsTo(email).length === before) await sleep(100);
    const device = { deviceId: randomUUID(), name, platform: 'linux', timeZone: TIME_ZONE };
    const { credentials } = await post('/v1/account/sign-in', {
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
    return post(`/v1/admin/${call}`, body, token);
  }
  const findUserIds = async (wanted: object): Promise<string[]> => {
    const { rows } = (await asAdmin('users', { page: 0, ...wanted })) as { rows: { userId: string }[] };
    return rows.map(({ userId }) => userId);
  };
  return {
    address,
    stripeFake,
    codeFor,
    linkFor: (email) => {
      const link = /[?&]link=([\w-]+)/.exec(mailsTo(email).at(-1)?.text ?? '')?.[1];
      if (link === undefined) throw new Error(`No link arrived for ${email}.`);
      return link;
    },
    subjectsTo: (email) => mailsTo(email).map(({ subject }) => subject),
    grantWaiting: async () => {
      const waiting = await findUserIds({ only: 'waiting' });
      if (waiting.length > 0) await asAdmin('grant-access-to-many', { userIds: waiting, reason: 'They asked.' });
      return waiting.length;
    },
    spendMinutesElsewhere: async (email, seconds) => {
      const phone = await signIn(email, 'Phone');
      const sessionId = randomUUID();
      const leaseRequest = { sessionId, style: 'turn_based', timeZone: TIME_ZONE, takeOver: false };
      for (let leftS = seconds; leftS > 0; leftS -= LEASE_INTERVAL_S) {
        await post('/v1/coach/lease', leaseRequest, phone);
        await sendUtterance(sessionId, phone);
        await stripeFake.advance(Math.min(LEASE_INTERVAL_S, leftS) * 1_000);
      }
      await post('/v1/coach/release', { sessionId }, phone);
    },
    revokeAccess: async (email) => {
      // The clock has advanced by weeks, and an admin's sign-in lasts twelve hours.
      token = null;
      const userIds = await findUserIds({ search: email });
      await asAdmin('revoke-access-of-many', { userIds, reason: 'The pilot is over.' });
    },
    stop: async () => {
      await app.close();
      await database.close();
      await Promise.all([smtp.close(), stripeFake.close(), openAi.close()]);
      if (formerTimeZone === undefined) delete process.env['TZ'];
      else process.env['TZ'] = formerTimeZone;
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
