import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { selectCurrentSubscription } from '@parley/domain';
import { eq } from 'drizzle-orm';
import type { Stripe } from 'stripe';
import { afterAll, afterEach, beforeAll, expect } from 'vitest';
import { readStoredSubscriptions } from '../../src/account/index.ts';
import type { DatabaseConnection } from '../../src/db/client.ts';
import { tables } from '../../src/db/tables.ts';
import { connectStripe, createStripePayments } from '../../src/integrations/stripe/index.ts';
import { startStripeFake, type StripeFake, type StripeFakeOptions, seedPlans } from '@parley/fakes/stripe/index.ts';
import type { Payments, ProviderSubscription } from '../../src/ports/payments/index.ts';
import { registerDevice, startServer, type TestDevice, type TestServer } from '../server.ts';
import type { BillingMail } from '../../src/billing/webhooks.ts';
import { type Billing, type BillingAlert, createBilling } from '../../src/billing/index.ts';

export const DAY_MS = 86_400_000;
export const HOUR_MS = 3_600_000;

type BillingInterval = 'week' | 'month' | 'year';

interface SentMail {
  userId: string;
  kind: string;
  step: string;
  data: Parameters<BillingMail>[1]['data'];
}

/** Test fixture: a server that sells plans and a Stripe fake with its own clock, connected by webhooks. */
export class BillingFixture {
  server!: TestServer;
  stripeFake!: StripeFake;
  stripe!: Stripe;
  payments!: Payments;
  billing!: Billing;
  mails: SentMail[] = [];
  alerts: BillingAlert[] = [];
  /** The status that the webhook endpoint answers. Any other than 200 rejects the event. */
  webhookStatus = 200;
  #endpoint!: Server;

  async open(
    open: () => Promise<DatabaseConnection>,
    settings: Pick<StripeFakeOptions, 'afterLastRetry'>,
  ): Promise<void> {
    this.server = await startServer(await open());
    this.#endpoint = createServer((request, response) => {
      void buffer(request).then(async (body) => {
        try {
          if (this.webhookStatus === 200)
            await this.billing.handleEvent(body, String(request.headers['stripe-signature']));
          response.writeHead(this.webhookStatus).end();
        } catch {
          response.writeHead(500).end();
        }
      });
    });
    this.#endpoint.listen(0, '127.0.0.1');
    await once(this.#endpoint, 'listening');
    const url = `http://127.0.0.1:${(this.#endpoint.address() as AddressInfo).port}/`;
    this.stripeFake = await startStripeFake({ ...settings, startsAt: this.server.now(), webhook: { url } });
    const access = { secretKey: this.stripeFake.key, baseUrl: new URL(this.stripeFake.url), maxNetworkRetries: 0 };
    this.stripe = connectStripe(access);
    await seedPlans(this.stripe);
    this.payments = createStripePayments({
      ...access,
      webhookSecret: this.stripeFake.webhookSecret,
      now: this.stripeFake.now,
    });
    this.billing = this.createNode();
    await this.billing.refreshCatalogue();
  }

  /** Another server on the same database. */
  createNode({
    now = this.stripeFake.now,
    payments = this.payments,
  }: { now?: () => Date; payments?: Payments | null } = {}): Billing {
    return createBilling({
      db: this.db,
      now,
      newId: randomUUID,
      changed: () => undefined,
      payments,
      origin: 'http://parley.test',
      onCatalogueChanged: () => undefined,
      mail: async (_tx, { userId, kind, step, data }) => void this.mails.push({ userId, kind, step, data }),
      onAlert: (trouble) => void this.alerts.push(trouble),
    });
  }

  async close(): Promise<void> {
    await this.stripeFake.close();
    this.#endpoint.close();
    this.#endpoint.closeAllConnections();
    await this.server.close();
  }

  get db() {
    return this.server.database.db;
  }

  /** Registers a learner with an address. */
  async registerLearner(): Promise<TestDevice> {
    const device = await registerDevice(this.server);
    await this.db
      .update(tables.users)
      .set({ email: `${device.userId}@example.com` })
      .where(eq(tables.users.userId, device.userId));
    return device;
  }

  async findPrice(plan: 'PLUS' | 'PRO', interval: BillingInterval = 'month') {
    const { offers } = await this.billing.plans();
    const offer = offers.find((known) => known.plan === plan && known.interval === interval);
    if (offer === undefined) throw new Error(`${plan} is not sold`);
    const [row] = await this.db.select().from(tables.prices).where(eq(tables.prices.id, offer.priceId));
    return { id: offer.priceId, providerId: row?.priceId ?? '' };
  }

  async subscriptionRow(userId: string) {
    const [row] = await readStoredSubscriptions(this.db, eq(tables.subscriptions.userId, userId));
    return row ?? null;
  }

  async customerIdOf(userId: string): Promise<string> {
    const [row] = await this.db.select().from(tables.customers).where(eq(tables.customers.userId, userId));
    if (row === undefined) throw new Error('the learner is not a customer');
    return row.customerId;
  }

  /** Buys the plan on the provider's page, as a browser does. */
  async pay(device: TestDevice, plan: 'PLUS' | 'PRO' = 'PLUS', interval: BillingInterval = 'month'): Promise<void> {
    const { url } = await this.billing.checkout(device.userId, (await this.findPrice(plan, interval)).id);
    await this.payAt(url);
  }

  async payAt(url: string): Promise<void> {
    const page = await (await fetch(url)).text();
    const action = /<form[^>]*action="([^"]+)"[^>]*>/.exec(page)?.[1] ?? '';
    const fields = new URLSearchParams();
    for (const [, name, value] of page.matchAll(/<input type="hidden" name="([^"]+)" value="([^"]*)"/g))
      fields.set(name ?? '', value ?? '');
    const button = /<button[^>]*name="([^"]+)"[^>]*value="([^"]+)"/.exec(page);
    if (button !== null) fields.set(button[1] ?? '', button[2] ?? '');
    const answer = await fetch(new URL(action, url), { method: 'POST', body: fields, redirect: 'manual' });
    expect(answer.status).toBeGreaterThanOrEqual(302);
    expect(answer.headers.get('location')).toContain('/billing/done');
    await this.stripeFake.deliveries.settled();
  }

  /** Presses a button on the provider's customer portal. */
  async pressAtPortal({ userId }: TestDevice, fields: Record<string, string>): Promise<void> {
    const { url } = await this.billing.portal(userId);
    const subscription = (await this.subscriptionRow(userId))?.providerSubscriptionId ?? '';
    await fetch(url, { method: 'POST', body: new URLSearchParams({ subscription, ...fields }), redirect: 'manual' });
    await this.stripeFake.deliveries.settled();
  }

  /** The customer's effective subscription by the provider's own list. */
  async effectiveSubscription(customer: string): Promise<ProviderSubscription | null> {
    const { prices } = await this.payments.readCatalogue();
    const plans = new Map(prices.map(({ id, plan }) => [id, plan]));
    return selectCurrentSubscription(await this.payments.listSubscriptions(customer), ({ priceId }) =>
      priceId === null ? null : (plans.get(priceId) ?? null),
    );
  }

  async runningSubscriptions(customer: string): Promise<Stripe.Subscription[]> {
    const { data } = await this.stripe.subscriptions.list({ customer, status: 'all' });
    return data.filter(({ status }) => status === 'active' || status === 'trialing');
  }
}

/** Call it inside a suite: the fixture is open while the tests run, on a database of its own. */
export function setUpBillingFixture(
  open: () => Promise<DatabaseConnection>,
  settings: Pick<StripeFakeOptions, 'afterLastRetry'> = {},
): BillingFixture {
  const shop = new BillingFixture();
  beforeAll(() => shop.open(open, settings));
  afterEach(() => shop.stripeFake.deliveries.resume());
  afterAll(() => shop.close());
  return shop;
}
