/** A server that is newer than the app: its answers have keys and members of enumerations that the app does not know. */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { expect, it, onTestFinished } from 'vitest';
import { openHost } from '../test-kit/open-host.ts';

const AT = '2026-11-30T12:00:00.000Z';
const TOKEN = 'a'.repeat(40);
const ID = '0190b2f0-0000-7000-8000-000000000001';

const ACCOUNT = {
  email: 'ada@example.com',
  mustBeGranted: false,
  hasAccess: true,
  waitingSince: null,
  accessTaken: null,
  isAdmin: false,
  plan: 'PLUS',
  live: { allowedS: 600, leftS: 60, newer: 1 },
  calls: null,
  resetsAt: null,
  subscription: null,
  mayTry: false,
  eraseAt: null,
};
const offer = {
  priceId: ID,
  plan: 'PLUS',
  name: 'Plus',
  description: null,
  unitAmount: 900,
  currency: 'eur',
  interval: 'month',
  intervalCount: 1,
};
const invoice = {
  number: 'A-1',
  at: AT,
  amount: 900,
  amountDue: 900,
  amountPaid: 900,
  amountRefunded: 0,
  currency: 'eur',
  status: 'paid',
  url: null,
};
const device = { deviceId: ID, name: 'Laptop', platform: 'linux', createdAt: AT, lastSeenAt: AT, isThis: true };
const service = { where: 'azure', name: 'Speech' };
const newer = <Value extends object>(value: Value): Value & { newer: string } => ({ ...value, newer: 'unknown' });

const ANSWERS: Record<string, unknown> = {
  '/v1/account': newer(ACCOUNT),
  '/v1/billing/plans': newer({
    offers: [newer(offer), { ...offer, plan: 'TEAM', interval: 'fortnight' }, offer],
    isTest: false,
  }),
  '/v1/billing/invoices': [newer(invoice), { ...invoice, status: 'disputed' }],
  '/v1/devices': [newer(device), { ...device, platform: 'android', isThis: false }],
  '/v1/coach': newer({
    coach: newer({ ...service, where: 'moon' }),
    transcriber: service,
    scorer: null,
    voice: null,
    realtime: null,
    missing: ['coach', 'singer'],
  }),
  '/v1/coach/local': newer({
    isPossible: true,
    coaches: [newer({ provider: 'ollama', model: 'm' }), { provider: 'newer', model: 'n' }],
    transcribers: [],
  }),
};

async function answerAsNewerServer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const path = new URL(request.url ?? '', 'http://localhost').pathname;
  const registration = request.method === 'POST' ? ((await json(request)) as object) : {};
  const answer =
    path === '/v1/devices/register'
      ? newer({ ...pick(registration, 'userId'), ...pick(registration, 'deviceId'), token: TOKEN })
      : ANSWERS[path];
  response.writeHead(answer === undefined ? 404 : 200, { 'content-type': 'application/json' });
  response.end(JSON.stringify(answer ?? { code: 'newer.code' }));
}

async function openHostWithNewerServer() {
  const server = createServer((request, response) => void answerAsNewerServer(request, response));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { host, ask } = await openHost({ serverUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}` });
  onTestFinished(async () => {
    await host.close();
    server.closeAllConnections();
    server.close();
  });
  return ask;
}

const pick = (value: object, key: string): Record<string, unknown> => ({ [key]: Reflect.get(value, key) });

it('does not show an outdated plan when a newer server has a new plan or state', async () => {
  const subscription = {
    status: 'on_hold',
    priceId: null,
    currentPeriodEnd: AT,
    endsAt: null,
    endsWithAccount: false,
    isPeriodUnpaid: false,
    next: { plan: 'TEAM', interval: 'fortnight', at: AT },
    graceUntil: null,
  };
  ANSWERS['/v1/account'] = { ...ACCOUNT, plan: 'TEAM', subscription };
  onTestFinished(() => void (ANSWERS['/v1/account'] = newer(ACCOUNT)));
  const ask = await openHostWithNewerServer();
  expect(await ask.account.state()).toMatchObject({
    known: {
      account: { plan: 'other', subscription: { status: 'other', next: { plan: 'other', interval: 'other' } } },
    },
    isFresh: true,
  });
});

it('shows what the app knows of the answers of a newer server', async () => {
  const ask = await openHostWithNewerServer();
  expect(await ask.account.state()).toMatchObject({
    known: { account: { email: ACCOUNT.email, plan: 'PLUS' } },
    isFresh: true,
  });
  expect((await ask.billing.plans()).offers).toEqual([offer, offer]);
  expect(await ask.billing.invoices()).toEqual([invoice]);
  expect((await ask.account.devices()).map(({ platform }) => platform)).toEqual(['linux', 'other']);
  expect(await ask.coach.offer()).toMatchObject({
    coach: { where: 'other', name: 'Speech' },
    transcriber: service,
    missing: ['coach'],
  });
  expect((await ask.coach.local()).coaches).toEqual([{ provider: 'ollama', model: 'm' }]);
});
