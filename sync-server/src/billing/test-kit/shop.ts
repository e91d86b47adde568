import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { subscriptionThatCounts } from '@parley/domain';
import { eq } from 'drizzle-orm';
import type { Stripe } from 'stripe';
import { afterAll, afterEach, beforeAll, expect } from 'vitest';
import type { DatabaseConnection } from '../../db/client.ts';
import { tables } from '../../db/tables.ts';
import { connectStripe, createStripePayments, offerPlans } from '../../integrations/stripe/index.ts';
import { startStripeTwin, type StripeTwin } from '../../integrations/stripe/twin/index.ts';
import type { Payments, ProviderSubscription } from '../../payments/index.ts';
import { registerDevice, startServer, type TestDevice, type TestServer } from '../../test-kit/server.ts';
import type { BillingMail } from '../events.ts';
import { type Billing, type BillingTrouble, createBilling } from '../index.ts';

export const DAY_MS = 86_400_000;

interface Letter {
  userId: string;
  kind: string;
  step: string;
  data: Parameters<BillingMail>[1]['data'];
}

/** A server that sells, a provider on this machine with a clock of its own, and the line between them. */
export class Shop {
  server!: TestServer;
  twin!: StripeTwin;
  stripe!: Stripe;
  payments!: Payments;
  billing!: Billing;
  letters: Letter[] = [];
  troubles: BillingTrouble[] = [];
  /** What the endpoint answers; anything but 200 and nothing is taken in. */
  answers = 200;
  #endpoint!: Server;

  async open(open: () => Promise<DatabaseConnection>): Promise<void> {
    this.server = await startServer(await open());
    this.#endpoint = createServer((request, response) => {
      void buffer(request).then(async (body) => {
        try {
          if (this.answers === 200) await this.billing.take(body, String(request.headers['stripe-signature']));
          response.writeHead(this.answers).end();
        } catch {
          response.writeHead(500).end();
        }
      });
    });
    this.#endpoint.listen(0, '127.0.0.1');
    await once(this.#endpoint, 'listening');
    const url = `http://127.0.0.1:${(this.#endpoint.address() as AddressInfo).port}/`;
    this.twin = await startStripeTwin({ startsAt: this.server.now(), webhook: { url } });
    const access = { secretKey: this.twin.key, address: new URL(this.twin.url), maxNetworkRetries: 0 };
    this.stripe = connectStripe(access);
    await offerPlans(this.stripe);
    this.payments = createStripePayments({ ...access, webhookSecret: this.twin.webhookSecret, now: this.twin.now });
    this.billing = this.node();
    await this.billing.mirror();
  }

  /** One more server on the same database. */
  node({ now = this.twin.now, payments = this.payments }: { now?: () => Date; payments?: Payments } = {}): Billing {
    return createBilling({
      db: this.db,
      now,
      newId: randomUUID,
      changed: () => undefined,
      payments,
      origin: 'http://parley.test',
      catalogueMoved: () => undefined,
      mail: async (_tx, { userId, kind, step, data }) => void this.letters.push({ userId, kind, step, data }),
      onTrouble: (trouble) => void this.troubles.push(trouble),
    });
  }

  async close(): Promise<void> {
    await this.twin.close();
    this.#endpoint.close();
    this.#endpoint.closeAllConnections();
    await this.server.close();
  }

  get db() {
    return this.server.database.db;
  }

  /** Somebody with an address. */
  async learner(): Promise<TestDevice> {
    const device = await registerDevice(this.server);
    await this.db
      .update(tables.users)
      .set({ email: `${device.userId}@example.com` })
      .where(eq(tables.users.userId, device.userId));
    return device;
  }

  async price(plan: 'PLUS' | 'PRO', interval: 'month' | 'year' = 'month') {
    const { offers } = await this.billing.plans();
    const offer = offers.find((known) => known.plan === plan && known.interval === interval);
    if (offer === undefined) throw new Error(`${plan} is not sold`);
    const [row] = await this.db.select().from(tables.prices).where(eq(tables.prices.id, offer.priceId));
    return { id: offer.priceId, providerId: row?.priceId ?? '' };
  }

  async row(userId: string) {
    const [row] = await this.db.select().from(tables.subscriptions).where(eq(tables.subscriptions.userId, userId));
    return row ?? null;
  }

  async customer(userId: string): Promise<string> {
    const [row] = await this.db.select().from(tables.customers).where(eq(tables.customers.userId, userId));
    if (row === undefined) throw new Error('no customer');
    return row.customerId;
  }

  /** Pays at the provider's own page, as a browser does. */
  async pay(device: TestDevice, plan: 'PLUS' | 'PRO' = 'PLUS', interval: 'month' | 'year' = 'month'): Promise<void> {
    const { url } = await this.billing.checkout(device.userId, (await this.price(plan, interval)).id);
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
    await this.twin.deliveries.settled();
  }

  /** Presses a button at the provider's page of what was bought. */
  async atPortal({ userId }: TestDevice, fields: Record<string, string>): Promise<void> {
    const { url } = await this.billing.portal(userId);
    const subscription = (await this.row(userId))?.providerSubscriptionId ?? '';
    await fetch(url, { method: 'POST', body: new URLSearchParams({ subscription, ...fields }), redirect: 'manual' });
    await this.twin.deliveries.settled();
  }

  /** Of everything that this customer has, what the provider's own list says counts. */
  async said(customer: string): Promise<ProviderSubscription | null> {
    const { prices } = await this.payments.catalogue();
    const plans = new Map(prices.map(({ id, plan }) => [id, plan]));
    return subscriptionThatCounts(await this.payments.subscriptionsOf(customer), ({ priceId }) =>
      priceId === null ? null : (plans.get(priceId) ?? null),
    );
  }

  async running(customer: string): Promise<Stripe.Subscription[]> {
    const { data } = await this.stripe.subscriptions.list({ customer, status: 'all' });
    return data.filter(({ status }) => status === 'active' || status === 'trialing');
  }
}

/** For the suite that calls this: open while its tests run, on a database of its own. */
export function setUpShop(open: () => Promise<DatabaseConnection>): Shop {
  const shop = new Shop();
  beforeAll(() => shop.open(open));
  afterEach(() => shop.twin.deliveries.resume());
  afterAll(() => shop.close());
  return shop;
}
