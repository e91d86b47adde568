/** Two nodes of the server on one database, a payment provider with the year's clock, and the line between them. */
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import type { Stripe } from 'stripe';
import { createAccounts, eraseDue, planReader } from '../../account/index.ts';
import { createAccountFeatures } from '../../app/create-account-features.ts';
import { type Billing, createBilling, createRecount } from '../../billing/index.ts';
import { bringInStarterCatalogue } from '../../catalogue/index.ts';
import type { Database, DatabaseConnection } from '../../db/client.ts';
import { tables } from '../../db/tables.ts';
import { connectStripe, createStripePayments, offerPlans } from '../../integrations/stripe/index.ts';
import { startStripeTwin, type StripeTwin } from '../../integrations/stripe/twin/index.ts';
import { createMail, type Mail, type MailTransport } from '../../mail/index.ts';
import { createLeases, type Leases } from '../../metering/index.ts';
import type { Payments } from '../../payments/index.ts';
import { createPostOffice, type PostOffice, type PostOfficeParts } from './post-office.ts';

const ORIGIN = 'https://parley.example';
const SECRET = 'a secret that is long enough for a year';

export interface YearNode {
  features: ReturnType<typeof createAccountFeatures>;
  mail: Mail;
  /** The same node, with a transport and a line to the database of its own. */
  mailOver: (transport: MailTransport, line?: Database) => Mail;
  billing: Billing;
  leases: Leases;
}

/** `lost`: the endpoint says that it has taken an event, and has not. */
type Line = 'open' | 'down' | 'lost';

export interface Stage {
  db: Database;
  twin: StripeTwin;
  stripe: Stripe;
  nodes: readonly [YearNode, YearNode];
  post: PostOffice;
  setLine: (line: Line) => void;
  webhooks: () => number;
  prices: readonly { id: string; plan: string; interval: string; providerId: string }[];
  practice: { practiceId: string; agentId: string };
  erase: () => Promise<number>;
  close: () => Promise<void>;
}

export interface StageParts extends Omit<PostOfficeParts, 'db'> {
  database: DatabaseConnection;
  startsAt: Date;
  chance: () => number;
  onFailure: (error: unknown) => void;
  /** A node has said that it has taken this from the provider. */
  onTaken: (event: Stripe.Event, atMs: number) => void;
}

export async function openStage(parts: StageParts): Promise<Stage> {
  const { db } = parts.database;
  let line: Line = 'open';
  let webhooks = 0;
  let nodes: [YearNode, YearNode] | null = null;
  const endpoint = createServer((request, response) => {
    void buffer(request).then(async (body) => {
      webhooks += 1;
      const node = nodes?.[webhooks % 2];
      try {
        if (line === 'down') throw new Error('the endpoint is down');
        if (line === 'open') {
          await node?.billing.take(body, String(request.headers['stripe-signature']));
          parts.onTaken(JSON.parse(String(body)) as Stripe.Event, twin.now().getTime());
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
  const twin = await startStripeTwin({ startsAt: parts.startsAt, webhook: { url } });
  const access = { secretKey: twin.key, address: new URL(twin.url), maxNetworkRetries: 0 };
  const stripe = connectStripe(access);
  const payments = createStripePayments({ ...access, webhookSecret: twin.webhookSecret, now: twin.now });
  const post = createPostOffice({ db, answer: parts.answer, wasHandedOver: parts.wasHandedOver });
  const open = (): YearNode => openNode({ ...parts, db, now: twin.now, payments, transport: post.transport });
  nodes = [open(), open()];

  await bringInStarterCatalogue({ db, now: twin.now });
  await offerPlans(stripe);
  const [{ billing }] = nodes;
  await billing.mirror();
  const providerIds = new Map((await db.select().from(tables.prices)).map(({ id, priceId }) => [id, priceId]));
  const [practice] = await db.select().from(tables.practices).limit(1);
  const [coach] = await db.select().from(tables.aiAgentProfiles).limit(1);
  if (practice === undefined || coach === undefined) throw new Error('There is nothing to practise.');
  return {
    db,
    twin,
    stripe,
    nodes,
    post,
    setLine: (next) => {
      line = next;
    },
    webhooks: () => webhooks,
    prices: (await billing.plans()).offers.map(({ priceId, plan, interval }) => {
      return { id: priceId, plan, interval, providerId: providerIds.get(priceId) ?? '' };
    }),
    practice: { practiceId: practice.practiceId, agentId: coach.agentId },
    erase: () => eraseDue({ db, now: twin.now, beforeErase: billing.forget, onFailure: parts.onFailure }),
    close: async () => {
      await twin.close();
      endpoint.close();
      endpoint.closeAllConnections();
    },
  };
}

interface NodeParts extends StageParts {
  db: Database;
  now: () => Date;
  payments: Payments;
  transport: MailTransport;
}

function openNode({ db, now, payments, transport, chance }: NodeParts): YearNode {
  const changed = (): void => undefined;
  const announcer = {
    userMoved: changed,
    catalogueMoved: changed,
    signedOut: changed,
    close: async (): Promise<void> => undefined,
  };
  const features = createAccountFeatures({
    db,
    now,
    accounts: createAccounts({ db, now, signedOut: changed }),
    announcer,
    settings: { access: 'granted', adminEmails: [], origin: ORIGIN, secret: SECRET, hasSecureCookies: true },
    mail: (tx, letter) => mail.enqueue(tx, letter),
    countsMinutes: true,
    onCodesPaused: () => undefined,
    planMoved: (userId) => billing.heedLeaving(userId).catch(() => undefined),
  });
  const mailOver = (by: MailTransport, line = db): Mail =>
    createMail({
      db: line,
      now,
      newId: randomUUID,
      transport: by,
      origin: ORIGIN,
      secret: SECRET,
      changed,
      makeAccessLink: features.makeAccessLink,
      fallbackTimeZone: FALLBACK_ZONE,
      chance,
    });
  const mail = mailOver(transport);
  const billing = createBilling({
    db,
    now,
    newId: randomUUID,
    changed,
    catalogueMoved: changed,
    payments,
    origin: ORIGIN,
    mail: async (tx, letter) => void (await mail.enqueue(tx, letter)),
  });
  const leases = createLeases({
    db,
    now,
    counts: true,
    planOf: planReader({ db, now }),
    counted: createRecount({ now, changed }),
  });
  return { features, mail, mailOver, billing, leases };
}

/** Where learners are taken to be who came by browser and never used a device. */
export const FALLBACK_ZONE = 'Europe/Berlin';
