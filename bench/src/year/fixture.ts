/** The fixture of the simulated year: two nodes on one database and a Stripe fake with the simulated clock, connected by webhooks. */
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import type { Stripe } from 'stripe';
import { createDeviceRegistry, eraseDueAccounts, createPlanReader } from '../../../sync-server/src/account/index.ts';
import { createAccountFeatures } from '../../../sync-server/src/compose/create-account-features.ts';
import { type Billing, createBilling, createRemainingTimeUpdater } from '../../../sync-server/src/billing/index.ts';
import { installStarterCatalogue } from '../../../sync-server/src/catalogue/index.ts';
import type { Database, DatabaseConnection } from '../../../sync-server/src/db/client.ts';
import { tables } from '../../../sync-server/src/db/tables.ts';
import { connectStripe, createStripePayments } from '../../../sync-server/src/integrations/stripe/index.ts';
import { startStripeFake, type StripeFake, seedPlans } from '@parley/fakes/stripe/index.ts';
import { createMail, type Mail, type MailTransport } from '../../../sync-server/src/mail/index.ts';
import { createLeases, type Leases } from '../../../sync-server/src/metering/index.ts';
import type { Payments } from '../../../sync-server/src/ports/payments/index.ts';
import { createMailOracle, type MailOracle, type MailOracleParts } from './oracle/mail-oracle.ts';

const ORIGIN = 'https://parley.example';
const SECRET = 'a secret that is long enough for a year';

export interface YearNode {
  features: ReturnType<typeof createAccountFeatures>;
  mail: Mail;
  /** The mail of the same node with another transport and database wrapper. */
  createMailOver: (transport: MailTransport, line?: Database) => Mail;
  billing: Billing;
  leases: Leases;
}

/** `lost`: the endpoint accepts an event and discards it. */
type WebhookMode = 'open' | 'down' | 'lost';

export interface YearFixture {
  db: Database;
  stripeFake: StripeFake;
  stripe: Stripe;
  nodes: readonly [YearNode, YearNode];
  mailOracle: MailOracle;
  setWebhookMode: (line: WebhookMode) => void;
  countWebhooks: () => number;
  prices: readonly { id: string; plan: string; interval: string; providerId: string }[];
  practice: { practiceId: string; agentId: string };
  erase: () => Promise<number>;
  close: () => Promise<void>;
}

export interface YearFixtureParts extends Omit<MailOracleParts, 'db'> {
  database: DatabaseConnection;
  startsAt: Date;
  random: () => number;
  onFailure: (error: unknown) => void;
  /** Called when a node has handled an event of the provider. */
  onEventHandled: (event: Stripe.Event, atMs: number) => void;
}

export async function openYearFixture(parts: YearFixtureParts): Promise<YearFixture> {
  const { db } = parts.database;
  let line: WebhookMode = 'open';
  let webhooks = 0;
  let nodes: [YearNode, YearNode] | null = null;
  const endpoint = createServer((request, response) => {
    void buffer(request).then(async (body) => {
      webhooks += 1;
      const node = nodes?.[webhooks % 2];
      try {
        if (line === 'down') throw new Error('the endpoint is down');
        if (line === 'open') {
          await node?.billing.handleEvent(body, String(request.headers['stripe-signature']));
          parts.onEventHandled(JSON.parse(String(body)) as Stripe.Event, fake.now().getTime());
        }
        response.writeHead(200).end();
      } catch (error) {
        if (line !== 'down') parts.onFailure(error);
        response.writeHead(500).end();
      }
    });
  });
  endpoint.listen(0, '127.0.0.1');
  await once(endpoint, 'listening');
  const url = `http://127.0.0.1:${(endpoint.address() as AddressInfo).port}/`;
  const fake = await startStripeFake({ startsAt: parts.startsAt, webhook: { url } });
  const access = { secretKey: fake.key, baseUrl: new URL(fake.url), maxNetworkRetries: 0 };
  const stripe = connectStripe(access);
  const payments = createStripePayments({ ...access, webhookSecret: fake.webhookSecret, now: fake.now });
  const post = createMailOracle({ db, answer: parts.answer, onDelivered: parts.onDelivered });
  const open = (): YearNode => openNode({ ...parts, db, now: fake.now, payments, transport: post.transport });
  nodes = [open(), open()];

  await installStarterCatalogue({ db, now: fake.now });
  await seedPlans(stripe);
  const [{ billing }] = nodes;
  await billing.refreshCatalogue();
  const providerIds = new Map((await db.select().from(tables.prices)).map(({ id, priceId }) => [id, priceId]));
  const [practice] = await db.select().from(tables.practices).limit(1);
  const [coach] = await db.select().from(tables.aiAgentProfiles).limit(1);
  if (practice === undefined || coach === undefined)
    throw new Error('the starter catalogue has no practice or no coach');
  return {
    db,
    stripeFake: fake,
    stripe,
    nodes,
    mailOracle: post,
    setWebhookMode: (next) => {
      line = next;
    },
    countWebhooks: () => webhooks,
    prices: (await billing.plans()).offers.map(({ priceId, plan, interval }) => {
      return { id: priceId, plan, interval, providerId: providerIds.get(priceId) ?? '' };
    }),
    practice: { practiceId: practice.practiceId, agentId: coach.agentId },
    erase: () =>
      eraseDueAccounts({ db, now: fake.now, beforeErase: billing.removeCustomer, onFailure: parts.onFailure }),
    close: async () => {
      await fake.close();
      endpoint.close();
      endpoint.closeAllConnections();
    },
  };
}

interface NodeParts extends YearFixtureParts {
  db: Database;
  now: () => Date;
  payments: Payments;
  transport: MailTransport;
}

function openNode({ db, now, payments, transport, random }: NodeParts): YearNode {
  const changed = (): void => undefined;
  const announcer = {
    pokeLearner: changed,
    pokeCatalogue: changed,
    disconnectDevice: changed,
    close: async (): Promise<void> => undefined,
  };
  const features = createAccountFeatures({
    db,
    now,
    accounts: createDeviceRegistry({ db, now, onDeviceSignedOut: changed }),
    announcer,
    settings: { access: 'granted', adminEmails: [], origin: ORIGIN, secret: SECRET, hasSecureCookies: true },
    mail: (tx, letter) => mail.enqueue(tx, letter),
    isMetered: true,
    onCodesPaused: () => undefined,
    syncSubscription: (userId) => billing.syncSubscriptionWithAccount(userId).catch(() => undefined),
  });
  const mailOver = (by: MailTransport, line = db): Mail =>
    createMail({
      db: line,
      now,
      newId: randomUUID,
      transport: by,
      origin: ORIGIN,
      secret: SECRET,
      onChanged: changed,
      makeAccessLink: features.makeAccessLink,
      fallbackTimeZone: FALLBACK_ZONE,
      chance: random,
    });
  const mail = mailOver(transport);
  const billing = createBilling({
    db,
    now,
    newId: randomUUID,
    changed,
    onCatalogueChanged: changed,
    payments,
    origin: ORIGIN,
    mail: async (tx, letter) => void (await mail.enqueue(tx, letter)),
  });
  const leases = createLeases({
    db,
    now,
    isMetered: true,
    planOf: createPlanReader({ db, now }),
    onUsageRecorded: createRemainingTimeUpdater({ now, changed }),
  });
  return { features, mail, createMailOver: mailOver, billing, leases };
}

/** The time zone of learners who came by browser and never used a device. */
export const FALLBACK_ZONE = 'Europe/Berlin';
