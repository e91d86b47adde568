import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { planOf, subscriptionThatCounts } from '@parley/domain';
import { eq } from 'drizzle-orm';
import fc from 'fast-check';
import type { Stripe } from 'stripe';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { DatabaseConnection } from '../db/client.ts';
import { auditLog, billingEvents, tables } from '../db/tables.ts';
import { connectStripe, createStripePayments, offerPlans } from '../integrations/stripe/index.ts';
import { startStripeTwin, type StripeTwin } from '../integrations/stripe/twin/index.ts';
import type { Payments, ProviderSubscription } from '../payments/index.ts';
import { registerDevice, startServer, type TestDevice, type TestServer } from '../test-kit/server.ts';
import { planReader } from '../account/index.ts';
import { createLeases } from '../metering/index.ts';
import { type Billing, type BillingTrouble, createBilling, createRecount } from './index.ts';

const DAY_MS = 86_400_000;
/** How many subscriptions are lived through; more when somebody wants to know better. */
const LIVES = Number(process.env['PARLEY_SUBSCRIPTION_LIVES'] ?? 25);

interface Letter {
  userId: string;
  kind: string;
  step: string;
}

/** A server that sells, a provider on this machine with a clock of its own, and the line between them. */
class Shop {
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
      mail: async (_tx, { userId, kind, step }) => void this.letters.push({ userId, kind, step }),
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

export function billingSuite(open: () => Promise<DatabaseConnection>): void {
  const shop = new Shop();
  beforeAll(() => shop.open(open));
  afterEach(() => shop.twin.deliveries.resume());
  afterAll(() => shop.close());

  describe('what is sold', () => {
    it('is copied from the provider, once', async () => {
      const { offers, isTest } = await shop.billing.plans();
      expect(isTest).toBe(true);
      expect(offers.map(({ plan, interval, unitAmount }) => `${plan} ${interval} ${unitAmount}`)).toEqual([
        'PLUS month 1200',
        'PRO month 2400',
        'PLUS year 12000',
        'PRO year 24000',
      ]);
      const before = await shop.db.select().from(tables.prices);
      await shop.billing.mirror();
      expect(await shop.db.select().from(tables.prices)).toEqual(before);
    });

    it('is not sold any more where the provider says so', async () => {
      const { providerId } = await shop.price('PLUS', 'year');
      await shop.stripe.prices.update(providerId, { active: false });
      await shop.twin.deliveries.settled();
      const { offers } = await shop.billing.plans();
      expect(offers.map(({ plan, interval }) => `${plan} ${interval}`)).not.toContain('PLUS year');
    });
  });

  describe('a plan', () => {
    it('is paid for on the provider’s page, renewed, cancelled, and ends on its day', async () => {
      const device = await shop.learner();
      await shop.pay(device);
      const paid = await shop.row(device.userId);
      expect(paid).toMatchObject({ planType: 'PLUS', status: 'active', quota: 36_000, remainingTime: 36_000 });
      expect(shop.letters.filter(({ userId }) => userId === device.userId)).toMatchObject([{ kind: 'receipt' }]);
      await expect(shop.billing.checkout(device.userId, (await shop.price('PRO')).id)).rejects.toMatchObject({
        code: 'billing.already_subscribed',
      });

      await shop.twin.advance(32 * DAY_MS);
      await shop.twin.deliveries.settled();
      const renewed = await shop.row(device.userId);
      expect(renewed?.currentPeriodStart?.getTime()).toBe(paid?.currentPeriodEnd?.getTime());
      expect(shop.letters.filter(({ userId }) => userId === device.userId)).toHaveLength(2);
      expect(await shop.billing.invoices(device.userId)).toMatchObject([{ status: 'paid' }, { status: 'paid' }]);

      await shop.stripe.subscriptions.update(paid?.providerSubscriptionId ?? '', { cancel_at_period_end: true });
      await shop.twin.deliveries.settled();
      const ending = await shop.row(device.userId);
      expect(ending).toMatchObject({ status: 'active', cancelAtPeriodEnd: true });
      await shop.twin.advanceTo(new Date((ending?.currentPeriodEnd?.getTime() ?? 0) + 60_000));
      await shop.twin.deliveries.settled();
      const over = await shop.row(device.userId);
      expect(over).toMatchObject({ status: 'canceled' });
      expect(planOf(over, shop.twin.now())).toBe('FREE');
      // Nothing of the learner's is gone, and they may come back.
      await shop.pay(device, 'PRO');
      expect(await shop.row(device.userId)).toMatchObject({ planType: 'PRO', status: 'active', quota: 108_000 });
      const log = await shop.db.select().from(auditLog).where(eq(auditLog.subjectId, device.userId));
      expect(log.filter(({ act }) => act === 'plan_changed').map(({ details }) => details['status'])).toEqual(
        expect.arrayContaining(['active', 'canceled']),
      );
    });

    it('holds for a week after a payment that failed', async () => {
      const device = await shop.learner();
      await shop.pay(device);
      shop.twin.setCards(await shop.customer(device.userId), 'decline');
      await shop.twin.advance(32 * DAY_MS);
      await shop.twin.deliveries.settled();
      const late = await shop.row(device.userId);
      expect(late).toMatchObject({ status: 'past_due' });
      const due = late?.currentPeriodStart?.getTime() ?? 0;
      expect(planOf(late, new Date(due + 7 * DAY_MS - 1))).toBe('PLUS');
      expect(planOf(late, new Date(due + 7 * DAY_MS))).toBe('FREE');
    });
  });

  describe('a second plan', () => {
    it('is not sold to somebody who pays already, though no word of it has come', async () => {
      const device = await shop.learner();
      shop.twin.deliveries.hold();
      await shop.pay(device);
      expect(await shop.row(device.userId)).toBeNull();
      await expect(shop.billing.checkout(device.userId, (await shop.price('PRO')).id)).rejects.toMatchObject({
        code: 'billing.already_subscribed',
      });
      expect(await shop.row(device.userId)).toMatchObject({ planType: 'PLUS', status: 'active' });
    });

    it('is not paid for at a page that was left open', async () => {
      const device = await shop.learner();
      const first = await shop.billing.checkout(device.userId, (await shop.price('PLUS')).id);
      const second = await shop.billing.checkout(device.userId, (await shop.price('PRO')).id);
      const customer = await shop.customer(device.userId);
      const open = await shop.stripe.checkout.sessions.list({ customer, status: 'open' });
      expect(open.data.map(({ url }) => url)).toEqual([second.url]);
      await shop.payAt(second.url);
      await fetch(first.url, { method: 'POST', body: new URLSearchParams({ act: 'pay' }), redirect: 'manual' });
      await shop.twin.deliveries.settled();
      expect(await shop.running(customer)).toHaveLength(1);
      expect(await shop.row(device.userId)).toMatchObject({ planType: 'PRO', status: 'active' });
    });

    it('has one page, however often it is asked for at once', async () => {
      const device = await shop.learner();
      const priceId = (await shop.price('PRO')).id;
      const nodes = [shop.billing, shop.node(), shop.billing];
      const pages = await Promise.all(nodes.map((node) => node.checkout(device.userId, priceId)));
      const customer = await shop.customer(device.userId);
      const { data } = await shop.stripe.checkout.sessions.list({ customer, status: 'open' });
      expect(data).toHaveLength(1);
      expect(pages.map(({ url }) => url)).toContain(data[0]?.url);
    });

    it('does not take away what the first one gives, and is told to whoever runs the server', async () => {
      const device = await shop.learner();
      await shop.pay(device, 'PRO');
      const customer = await shop.customer(device.userId);
      await shop.twin.advance(60_000);
      const { url } = await shop.stripe.checkout.sessions.create({
        mode: 'subscription',
        customer,
        line_items: [{ price: (await shop.price('PLUS')).providerId, quantity: 1 }],
        success_url: 'http://parley.test/billing/done',
      });
      await shop.payAt(url ?? '');
      expect(await shop.running(customer)).toHaveLength(2);
      expect(await shop.row(device.userId)).toMatchObject({ planType: 'PRO', status: 'active' });
      expect((await shop.billing.reconcile()).repaired).toBe(0);
      expect(shop.troubles).toContainEqual({ what: 'several_subscriptions', customerId: customer, count: 2 });
    });
  });

  describe('what is left of a plan', () => {
    it('is reckoned from the ledger in the moment in which it is used, and whole again with the next period', async () => {
      const device = await shop.learner();
      await shop.pay(device);
      const told: string[] = [];
      const leases = createLeases({
        db: shop.db,
        now: shop.twin.now,
        counts: true,
        planOf: planReader({ db: shop.db, now: shop.twin.now }),
        counted: createRecount({ now: shop.twin.now, changed: (userId) => void told.push(userId) }),
      });
      const sessionId = randomUUID();
      const wish = { sessionId, style: 'turn_based', timeZone: 'Europe/Berlin', takeOver: false } as const;
      await leases.take(device, wish);
      await shop.twin.advance(50_000);
      await leases.take(device, wish);
      expect(await shop.row(device.userId)).toMatchObject({ quota: 36_000, remainingTime: 36_000 - 50 });
      await shop.twin.advance(20_000);
      await leases.release(device, { sessionId, spokenS: 40 });
      expect(await shop.row(device.userId)).toMatchObject({ remainingTime: 36_000 - 70 });
      expect(told).toEqual([device.userId, device.userId]);
      await shop.twin.advance(32 * DAY_MS);
      await shop.twin.deliveries.settled();
      expect(await shop.row(device.userId)).toMatchObject({ quota: 36_000, remainingTime: 36_000 });
    });
  });

  describe('a year that is paid at once', () => {
    it('has a month’s minutes, and the next month’s from its day on', async () => {
      const device = await shop.learner();
      await shop.pay(device, 'PRO', 'year');
      const paid = await shop.row(device.userId);
      expect(paid).toMatchObject({ planType: 'PRO', quota: 108_000 });
      const leases = createLeases({
        db: shop.db,
        now: shop.twin.now,
        counts: true,
        planOf: planReader({ db: shop.db, now: shop.twin.now }),
        counted: createRecount({ now: shop.twin.now, changed: () => undefined }),
      });
      const talk = {
        sessionId: randomUUID(),
        style: 'turn_based',
        timeZone: 'Europe/Berlin',
        takeOver: false,
      } as const;
      await leases.take(device, talk);
      await shop.twin.advance(60_000);
      await leases.release(device, { sessionId: talk.sessionId, spokenS: 40 });
      expect(await shop.row(device.userId)).toMatchObject({ remainingTime: 108_000 - 60 });
      const nextMonth = new Date(paid?.currentPeriodStart ?? 0);
      nextMonth.setUTCMonth(nextMonth.getUTCMonth() + 1);
      await shop.twin.advanceTo(new Date(nextMonth.getTime() - 1_000));
      expect(await leases.take(device, talk)).toMatchObject({ remainingS: 108_000 - 60 });
      // Of what is talked over the turn, each month has its own seconds.
      await shop.twin.advance(31_000);
      expect(await leases.take(device, talk)).toMatchObject({ remainingS: 108_000 - 30 });
      await leases.release(device, { sessionId: talk.sessionId, spokenS: 40 });
    });

    it('turns in the learner’s row too when nobody talks: no provider tells of it', async () => {
      const device = await shop.learner();
      await shop.pay(device, 'PLUS', 'month');
      shop.twin.setCards(await shop.customer(device.userId), 'decline');
      await shop.twin.advance(33 * DAY_MS);
      await shop.twin.deliveries.settled();
      expect(await shop.row(device.userId)).toMatchObject({ status: 'past_due', quota: 36_000 });
      await shop.twin.advanceTo(
        new Date(((await shop.row(device.userId))?.currentPeriodStart?.getTime() ?? 0) + 7 * DAY_MS),
      );
      await shop.twin.deliveries.settled();
      await shop.billing.reconcile();
      expect(await shop.row(device.userId)).toMatchObject({ status: 'past_due', quota: 600 });
    });
  });

  describe('the free week', () => {
    it('needs no card, ends by itself, and is had once', async () => {
      const device = await shop.learner();
      await shop.billing.startTrial(device.userId);
      expect(await shop.row(device.userId)).toMatchObject({ planType: 'TRIALING', status: 'trialing', quota: 7_200 });
      await expect(shop.billing.startTrial(device.userId)).rejects.toMatchObject({ code: 'billing.trial_used' });
      await shop.twin.advance(8 * DAY_MS);
      await shop.twin.deliveries.settled();
      const over = await shop.row(device.userId);
      expect(planOf(over, shop.twin.now())).toBe('FREE');
      expect(shop.letters.filter(({ userId }) => userId === device.userId)).toMatchObject([{ kind: 'trial_ending' }]);
      await expect(shop.billing.startTrial(device.userId)).rejects.toMatchObject({ code: 'billing.trial_used' });
    });

    it('is one, however often it is asked for at once', async () => {
      const device = await shop.learner();
      const asked = await Promise.allSettled(Array.from({ length: 5 }, () => shop.billing.startTrial(device.userId)));
      expect(asked.some(({ status }) => status === 'fulfilled')).toBe(true);
      const { data } = await shop.stripe.subscriptions.list({
        customer: await shop.customer(device.userId),
        status: 'all',
      });
      expect(data).toHaveLength(1);
    });

    it('is never paid for, also by somebody who has a card', async () => {
      const device = await shop.learner();
      await shop.billing.startTrial(device.userId);
      const customer = await shop.customer(device.userId);
      const { id } = await shop.stripe.paymentMethods.attach('pm_card_visa', { customer });
      await shop.stripe.customers.update(customer, { invoice_settings: { default_payment_method: id } });
      await shop.twin.advance(8 * DAY_MS);
      await shop.twin.deliveries.settled();
      expect(await shop.row(device.userId)).toMatchObject({ status: 'canceled' });
      const invoices = await shop.billing.invoices(device.userId);
      expect(invoices.filter(({ amount }) => amount > 0)).toEqual([]);
      expect(shop.letters.filter(({ userId }) => userId === device.userId)).toMatchObject([{ kind: 'trial_ending' }]);
    });

    it('ends with the first day of a plan that is paid for', async () => {
      const device = await shop.learner();
      await shop.billing.startTrial(device.userId);
      await shop.pay(device);
      expect(await shop.running(await shop.customer(device.userId))).toMatchObject([{ status: 'active' }]);
      expect(await shop.row(device.userId)).toMatchObject({ planType: 'PLUS', status: 'active' });
    });

    it('is no learner’s without an address', async () => {
      const { userId } = await registerDevice(shop.server);
      await expect(shop.billing.startTrial(userId)).rejects.toMatchObject({ code: 'account.no_email' });
    });
  });

  describe('where only those come in to whom access was granted', () => {
    it('nobody else pays; what was paid stays to be seen', async () => {
      const server = await startServer(shop.server.database, { account: { access: 'granted' } });
      try {
        const { token } = await shop.learner();
        const codeOf = async (path: string, body: object) =>
          (await server.post(`/v1/billing/${path}`, body, token)).body['code'];
        expect(await codeOf('start-trial', {})).toBe('access.required');
        expect(await codeOf('checkout', { priceId: (await shop.price('PRO')).id })).toBe('access.required');
        expect(await codeOf('portal', {})).toBe('billing.unavailable');
        const headers = { authorization: `Bearer ${token}` };
        expect(await server.send({ method: 'GET', url: '/v1/billing/invoices', headers })).toMatchObject({
          status: 200,
        });
      } finally {
        await server.app.close();
      }
    });
  });

  describe('a plan that the provider does not know', () => {
    it('does not last for ever', async () => {
      const device = await shop.learner();
      await shop.pay(device, 'PRO');
      const other = await startStripeTwin({ startsAt: shop.twin.now() });
      try {
        const access = { secretKey: other.key, address: new URL(other.url), maxNetworkRetries: 0 };
        const payments = createStripePayments({ ...access, webhookSecret: other.webhookSecret });
        const node = shop.node({ payments });
        const { ended, repaired } = await node.reconcile();
        expect(ended).toBeGreaterThanOrEqual(1);
        expect(repaired).toBeGreaterThanOrEqual(ended);
        const row = await shop.row(device.userId);
        expect(row).toMatchObject({ status: 'canceled', endedAt: shop.twin.now(), quota: 600 });
        expect(planOf(row, shop.twin.now())).toBe('FREE');
        const log = await shop.db.select().from(auditLog).where(eq(auditLog.subjectId, device.userId));
        expect(log.map(({ details }) => details['status'])).toContain('canceled');
        expect(await node.reconcile()).toMatchObject({ ended: 0, repaired: 0 });
      } finally {
        await other.close();
      }
      // Asked with the right key again, it is as it was.
      expect(await shop.billing.reconcile()).toMatchObject({ ended: 0 });
      expect(await shop.row(device.userId)).toMatchObject({ planType: 'PRO', status: 'active', endedAt: null });
    });
  });

  describe('two servers', () => {
    it('find what is true now, also the one whose clock is behind', async () => {
      const device = await shop.learner();
      await shop.pay(device);
      const { providerSubscriptionId } = (await shop.row(device.userId)) ?? {};
      const ahead = shop.node({ now: () => new Date(shop.twin.now().getTime() + 3_600_000) });
      shop.twin.deliveries.hold();
      await shop.stripe.subscriptions.update(providerSubscriptionId ?? '', { cancel_at_period_end: true });
      await ahead.reconcile();
      expect(await shop.row(device.userId)).toMatchObject({ cancelAtPeriodEnd: true });
      await shop.stripe.subscriptions.update(providerSubscriptionId ?? '', { cancel_at_period_end: false });
      await shop.billing.reconcile();
      expect(await shop.row(device.userId)).toMatchObject({ cancelAtPeriodEnd: false });
    });

    it('do not write what one has seen before the other', async () => {
      const device = await shop.learner();
      await shop.pay(device);
      const { providerSubscriptionId } = (await shop.row(device.userId)) ?? {};
      const customer = await shop.customer(device.userId);
      const [hasSeen, goOn] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
      let looks = 0;
      const slow = shop.node({
        now: () => new Date(shop.twin.now().getTime() + 3_600_000),
        payments: {
          ...shop.payments,
          subscriptionsOf: async (asked) => {
            const seen = await shop.payments.subscriptionsOf(asked);
            if (asked !== customer) return seen;
            looks += 1;
            hasSeen.resolve();
            await goOn.promise;
            return seen;
          },
        },
      });
      shop.twin.deliveries.hold();
      await shop.stripe.subscriptions.update(providerSubscriptionId ?? '', { cancel_at_period_end: true });
      const looking = slow.reconcile();
      await hasSeen.promise;
      await shop.stripe.subscriptions.cancel(providerSubscriptionId ?? '');
      await shop.billing.reconcile();
      goOn.resolve();
      await looking;
      expect(await shop.row(device.userId)).toMatchObject({ status: 'canceled' });
      expect(looks).toBe(2);
    });
  });

  describe('an event', () => {
    it('that is forged, altered or old is not taken in', async () => {
      const body = Buffer.from(JSON.stringify({ id: 'evt_1', object: 'event', type: 'customer.subscription.deleted' }));
      await expect(shop.billing.take(body, 't=1,v1=00')).rejects.toMatchObject({ code: 'request.invalid' });
      const sign = (payload: string, timestamp: number): string =>
        shop.stripe.webhooks.generateTestHeaderString({ payload, secret: shop.twin.webhookSecret, timestamp });
      const nowS = Math.floor(shop.twin.now().getTime() / 1_000);
      const payload = JSON.stringify({ id: 'evt_2', object: 'event', type: 'price.updated', data: { object: {} } });
      await expect(shop.billing.take(Buffer.from(`${payload} `), sign(payload, nowS))).rejects.toMatchObject({
        code: 'request.invalid',
      });
      await expect(shop.billing.take(Buffer.from(payload), sign(payload, nowS - 3_600))).rejects.toMatchObject({
        code: 'request.invalid',
      });
      await shop.billing.take(Buffer.from(payload), sign(payload, nowS));
      expect(await shop.db.select().from(billingEvents).where(eq(billingEvents.eventId, 'evt_2'))).toHaveLength(1);
    });

    it('that never came is made up for', async () => {
      const device = await shop.learner();
      await shop.pay(device);
      shop.twin.deliveries.hold();
      const { providerSubscriptionId } = (await shop.row(device.userId)) ?? {};
      await shop.stripe.subscriptions.cancel(providerSubscriptionId ?? '');
      expect(await shop.row(device.userId)).toMatchObject({ status: 'active' });
      expect((await shop.billing.reconcile()).repaired).toBeGreaterThanOrEqual(1);
      expect(await shop.row(device.userId)).toMatchObject({ status: 'canceled' });
      expect((await shop.billing.reconcile()).repaired).toBe(0);
      await shop.twin.deliveries.resume();
    });
  });

  describe('the life of a subscription', () => {
    const Act = fc.constantFrom(
      'plus',
      'pro',
      'trial',
      'cancelLater',
      'keep',
      'cancelNow',
      'cardFails',
      'cardWorks',
      'pause',
      'goOn',
      'days',
      'month',
    );

    it(
      'ends in the state that the provider says, in whatever order its events come, twice and late',
      async () => {
        await fc.assert(
          fc.asyncProperty(
            fc.array(Act, { minLength: 2, maxLength: 9 }),
            fc.infiniteStream(fc.double({ min: 0, max: 1, noNaN: true })),
            async (acts, chances) => {
              const chance = (): number => Number(chances.next().value);
              const device = await shop.learner();
              shop.twin.deliveries.hold();
              for (const act of acts) await live(shop, device, act);
              const waiting = shop.twin.deliveries.held().map(({ id }) => ({ id, at: chance() }));
              const order = waiting.toSorted((a, b) => a.at - b.at).map(({ id }) => id);
              // Some never come by themselves, and some twice.
              await shop.twin.deliveries.release(order);
              for (const { eventId } of shop.twin.deliveries.all().slice(-20))
                if (chance() < 0.2) await shop.twin.deliveries.sendAgain(eventId);
              await shop.twin.deliveries.resume();
              await shop.twin.deliveries.settled();
              // What waits longer than a month the provider forgets: then it is found when all are compared.
              if (shop.twin.deliveries.all().some(({ type }) => type === 'forgotten')) await shop.billing.reconcile();
              const customers = await shop.db
                .select()
                .from(tables.customers)
                .where(eq(tables.customers.userId, device.userId));
              const [customer] = customers;
              if (customer === undefined) return;
              const said = await shop.said(customer.customerId);
              const row = await shop.row(device.userId);
              expect(shown(row)).toEqual(said === null ? null : shown({ ...said, providerSubscriptionId: said.id }));
            },
          ),
          { numRuns: LIVES },
        );
      },
      30_000 + LIVES * 2_000,
    );
  });
}

const shown = (
  of:
    | (Omit<ProviderSubscription, 'id' | 'customerId' | 'priceId' | 'createdAt'> & {
        providerSubscriptionId: string | null;
      })
    | Awaited<ReturnType<Shop['row']>>,
): unknown =>
  of === null
    ? null
    : {
        id: of.providerSubscriptionId,
        status: of.status,
        quantity: of.quantity,
        cancelAt: of.cancelAt,
        cancelAtPeriodEnd: of.cancelAtPeriodEnd,
        canceledAt: of.canceledAt,
        currentPeriodStart: of.currentPeriodStart,
        currentPeriodEnd: of.currentPeriodEnd,
        endedAt: of.endedAt,
      };

/** What a learner, or their bank, may do next; what cannot be done now is left. */
async function live(shop: Shop, device: TestDevice, act: string): Promise<void> {
  const current = await currentOf(shop, device.userId);
  const isThere = current !== null && current.endedAt === null;
  switch (act) {
    case 'plus':
    case 'pro': {
      const plan = act === 'plus' ? 'PLUS' : 'PRO';
      const { providerId } = await shop.price(plan);
      if (current === null) return shop.pay(device, plan).catch(() => undefined);
      if (!isThere) return undefined;
      const { items } = await shop.stripe.subscriptions.retrieve(current.id);
      await shop.stripe.subscriptions
        .update(current.id, { items: [{ id: items.data[0]?.id ?? '', price: providerId }], proration_behavior: 'none' })
        .catch(() => undefined);
      return undefined;
    }
    case 'trial':
      await shop.billing.startTrial(device.userId).catch(() => undefined);
      return undefined;
    case 'cancelLater':
    case 'keep':
      if (isThere)
        await shop.stripe.subscriptions
          .update(current.id, { cancel_at_period_end: act === 'cancelLater' })
          .catch(() => undefined);
      return undefined;
    case 'cancelNow':
      if (isThere) await shop.stripe.subscriptions.cancel(current.id).catch(() => undefined);
      return undefined;
    case 'pause':
      if (isThere)
        await shop.stripe.subscriptions
          .update(current.id, { pause_collection: { behavior: 'void' } })
          .catch(() => undefined);
      return undefined;
    case 'goOn':
      if (isThere) await shop.stripe.subscriptions.update(current.id, { pause_collection: '' }).catch(() => undefined);
      return undefined;
    case 'cardFails':
    case 'cardWorks':
      if (current !== null) shop.twin.setCards(current.customerId, act === 'cardFails' ? 'decline' : 'work');
      return undefined;
    default:
      await shop.twin.advance((act === 'days' ? 3 : 31) * DAY_MS);
      return undefined;
  }
}

async function currentOf(shop: Shop, userId: string): Promise<ProviderSubscription | null> {
  const [customer] = await shop.db.select().from(tables.customers).where(eq(tables.customers.userId, userId));
  return customer === undefined ? null : shop.said(customer.customerId);
}
