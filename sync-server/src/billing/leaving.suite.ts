import type { AccountView } from '@parley/contract';
import { eq } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import { type AccountMail, createDeletion, type Deletion, eraseDue } from '../account/index.ts';
import type { DatabaseConnection } from '../db/client.ts';
import { tables } from '../db/tables.ts';
import { confirmDevice, startServer, type TestDevice } from '../test-kit/server.ts';
import type { Billing } from './index.ts';
import { DAY_MS, setUpShop } from './test-kit/shop.ts';

export function leavingSuite(open: () => Promise<DatabaseConnection>): void {
  const shop = setUpShop(open);
  const letters: AccountMail[] = [];

  /** As the server puts them together: what the provider cannot be told now is told later. */
  const leaving = (billing: Billing = shop.billing): Deletion =>
    createDeletion({
      db: shop.db,
      now: shop.twin.now,
      mail: async (_tx, letter) => void letters.push(letter),
      keepUrl: 'http://parley.test/account',
      leavingMoved: (userId) => billing.heedLeaving(userId).catch(() => undefined),
    });
  const subscriptionOf = async ({ userId }: TestDevice) =>
    shop.stripe.subscriptions.retrieve((await shop.row(userId))?.providerSubscriptionId ?? '');
  /** An event still on its way would make the server look, and meet in place of the request what is played for that. */
  const play = async (...steps: Parameters<typeof shop.twin.play>): Promise<void> => {
    await shop.twin.deliveries.settled();
    shop.twin.play(...steps);
  };
  const paidInvoices = async ({ userId }: TestDevice) =>
    (await shop.billing.invoices(userId)).filter(({ amountPaid }) => amountPaid > 0).length;
  const goodbyeTo = ({ userId }: TestDevice) => {
    const letter = letters.findLast((known) => known.userId === userId);
    if (letter?.kind !== 'goodbye') throw new Error('no goodbye');
    return letter.data;
  };

  describe('somebody who asks to be erased', () => {
    it('is not charged again: the plan ends with what is paid for', async () => {
      const device = await shop.learner();
      await shop.pay(device);
      await leaving().request(device.userId);
      expect(await subscriptionOf(device)).toMatchObject({ cancel_at_period_end: true });
      const row = await shop.row(device.userId);
      expect(row).toMatchObject({ planType: 'PLUS', status: 'active', cancelAtPeriodEnd: true });
      const [month] = [row?.currentPeriodEnd];
      expect(goodbyeTo(device).plan).toEqual({
        endsAt: new Date(Math.min(month?.getTime() ?? 0, goodbyeTo(device).eraseAt.getTime())),
        goesOnIfKept: true,
        isPaymentLate: false,
        isPeriodUnpaid: false,
        paidUntil: (month ?? 0) > goodbyeTo(device).eraseAt ? month : null,
      });
      await shop.twin.advance(32 * DAY_MS);
      await shop.twin.deliveries.settled();
      expect(await shop.row(device.userId)).toMatchObject({ status: 'canceled' });
      expect(await paidInvoices(device)).toBe(1);
    });

    it('and thinks again goes on with the plan, and with all that was planned', async () => {
      const device = await shop.learner();
      await shop.pay(device, 'PRO');
      await shop.atPortal(device, { act: 'switch', price: (await shop.price('PLUS')).providerId });
      await leaving().request(device.userId);
      expect(await subscriptionOf(device)).toMatchObject({ cancel_at_period_end: true, schedule: null });
      await leaving().withdraw(device.userId);
      const kept = await subscriptionOf(device);
      expect(kept).toMatchObject({ cancel_at_period_end: false, cancel_at: null, metadata: { userId: device.userId } });
      expect(kept.schedule).not.toBeNull();
      expect(await shop.row(device.userId)).toMatchObject({ planType: 'PRO', cancelAtPeriodEnd: false });
      await shop.twin.advance(32 * DAY_MS);
      await shop.twin.deliveries.settled();
      expect(await shop.row(device.userId)).toMatchObject({ planType: 'PLUS', status: 'active' });
    });

    it.each([
      ['at the provider’s pages', 'cancel'],
      ['by whoever runs the server', 'api'],
    ])('does not get back a plan that was ended before, %s', async (_where, by) => {
      const device = await shop.learner();
      await shop.pay(device);
      if (by === 'cancel') await shop.atPortal(device, { act: 'cancel' });
      else {
        await shop.stripe.subscriptions.update((await subscriptionOf(device)).id, { cancel_at_period_end: true });
        await shop.twin.deliveries.settled();
      }
      const before = await subscriptionOf(device);
      await leaving().request(device.userId);
      expect(goodbyeTo(device).plan).toMatchObject({ goesOnIfKept: false });
      await leaving().withdraw(device.userId);
      expect(await subscriptionOf(device)).toEqual(before);
      expect(await shop.row(device.userId)).toMatchObject({ cancelAtPeriodEnd: true });
    });

    it('does not renew it at the provider’s pages by mistake', async () => {
      const device = await shop.learner();
      await shop.pay(device);
      await leaving().request(device.userId);
      await shop.atPortal(device, { act: 'keep' });
      expect(await subscriptionOf(device)).toMatchObject({ cancel_at_period_end: true });
    });

    it('goes on as before where two servers ended the plan, and two let it go on', async () => {
      const device = await shop.learner();
      await shop.pay(device, 'PRO');
      const { id } = await subscriptionOf(device);
      await shop.twin.deliveries.settled();
      shop.twin.deliveries.hold();
      await shop.payments.endWithAccount(id);
      await shop.payments.endWithAccount(id);
      expect(await subscriptionOf(device)).toMatchObject({ cancel_at_period_end: true });
      await shop.payments.goOn(id);
      await shop.twin.deliveries.resume();
      expect(await subscriptionOf(device)).toMatchObject({ cancel_at_period_end: false, cancel_at: null });
      // What the learner chooses then is not taken back by the slower one.
      await shop.atPortal(device, { act: 'cancel' });
      await shop.payments.goOn(id);
      expect(await subscriptionOf(device)).toMatchObject({ cancel_at: expect.any(Number) });
    });

    it('buys nothing new, and cannot pay at a page that was left open', async () => {
      const device = await shop.learner();
      const { url } = await shop.billing.checkout(device.userId, (await shop.price('PRO')).id);
      await leaving().request(device.userId);
      await fetch(url, { method: 'POST', body: new URLSearchParams({ act: 'pay' }), redirect: 'manual' });
      await shop.twin.deliveries.settled();
      expect(await shop.row(device.userId)).toBeNull();
      const priceId = (await shop.price('PRO')).id;
      await expect(shop.billing.checkout(device.userId, priceId)).rejects.toMatchObject({ code: 'account.leaving' });
      await expect(shop.billing.startTrial(device.userId)).rejects.toMatchObject({ code: 'account.leaving' });
      await leaving().withdraw(device.userId);
      await shop.pay(device, 'PRO');
    });

    it('is told that a period that has just begun may still be charged, until it is', async () => {
      const device = await shop.learner();
      await shop.pay(device);
      const { currentPeriodEnd } = (await shop.row(device.userId)) ?? {};
      await shop.twin.advanceTo(new Date((currentPeriodEnd?.getTime() ?? 0) + 60_000));
      await shop.twin.deliveries.settled();
      await leaving().request(device.userId);
      expect(goodbyeTo(device).plan).toMatchObject({ isPaymentLate: false, isPeriodUnpaid: true });
      expect(await paidInvoices(device)).toBe(1);

      await shop.twin.advance(DAY_MS);
      await shop.twin.deliveries.settled();
      expect(await paidInvoices(device)).toBe(2);
      await leaving().withdraw(device.userId);
      await leaving().request(device.userId);
      expect(goodbyeTo(device).plan).toMatchObject({ isPeriodUnpaid: false });
    });

    it('of whom a late payment is still open is told so', async () => {
      const device = await shop.learner();
      await shop.pay(device);
      shop.twin.setCards(await shop.customer(device.userId), 'decline');
      await shop.twin.advance(32 * DAY_MS);
      await shop.twin.deliveries.settled();
      await leaving().request(device.userId);
      expect(goodbyeTo(device).plan).toMatchObject({ isPaymentLate: true });
      expect(await subscriptionOf(device)).toMatchObject({ cancel_at_period_end: true });
    });
  });

  describe('while the provider cannot be reached', () => {
    it.each(['cut', 'reject'] as const)('the wish stands, and the plan follows when it can (%s)', async (does) => {
      const device = await shop.learner();
      await shop.pay(device);
      const { id } = await subscriptionOf(device);
      const on = `POST /v1/subscriptions/${id}`;
      const fails =
        does === 'cut' ? ({ does, when: 'before', on, times: 2 } as const) : ({ does, status: 500, on } as const);
      await play(fails);
      await leaving().request(device.userId);
      expect(await subscriptionOf(device)).toMatchObject({ cancel_at_period_end: false });
      expect((await shop.billing.reconcile()).repaired).toBe(1);
      expect(await subscriptionOf(device)).toMatchObject({ cancel_at_period_end: true });
      expect((await shop.billing.reconcile()).repaired).toBe(0);

      await play(fails);
      await leaving().withdraw(device.userId);
      expect(await subscriptionOf(device)).toMatchObject({ cancel_at_period_end: true });
      expect((await shop.billing.reconcile()).repaired).toBe(1);
      expect(await subscriptionOf(device)).toMatchObject({
        cancel_at_period_end: false,
        metadata: { userId: device.userId },
      });
      expect((await shop.billing.reconcile()).repaired).toBe(0);
    });

    it('what was done halfway is finished', async () => {
      const device = await shop.learner();
      await shop.pay(device, 'PRO');
      await shop.atPortal(device, { act: 'switch', price: (await shop.price('PLUS')).providerId });
      shop.twin.deliveries.hold();
      await play({ does: 'reject', status: 500, on: 'POST /v1/subscription_schedules' });
      await leaving().request(device.userId);
      expect(await subscriptionOf(device)).toMatchObject({ metadata: { ends_with_account: 'yes' }, cancel_at: null });
      await shop.billing.reconcile();
      expect(await subscriptionOf(device)).toMatchObject({ cancel_at_period_end: true });
      const on = 'POST /v1/subscription_schedules';
      await play({ does: 'answer', on }, { does: 'reject', status: 500, on });
      await leaving().withdraw(device.userId);
      await shop.billing.reconcile();
      await shop.twin.deliveries.resume();
      await shop.twin.advance(32 * DAY_MS);
      await shop.twin.deliveries.settled();
      expect(await shop.row(device.userId)).toMatchObject({ planType: 'PLUS', status: 'active' });
    });

    it('one plan that it refuses to change does not keep the others from following', async () => {
      const [stuck, device] = [await shop.learner(), await shop.learner()];
      await shop.pay(stuck);
      await shop.pay(device);
      const { id } = await subscriptionOf(stuck);
      await play({ does: 'reject', status: 400, on: `POST /v1/subscriptions/${id}`, times: 2 });
      await leaving().request(stuck.userId);
      expect(shop.troubles).toContainEqual({
        what: 'not_as_account',
        customerId: await shop.customer(stuck.userId),
        subscriptionId: id,
      });
      await play({
        does: 'cut',
        when: 'before',
        on: `POST /v1/subscriptions/${(await subscriptionOf(device)).id}`,
      });
      await leaving().request(device.userId);
      await shop.billing.reconcile();
      expect(await subscriptionOf(device)).toMatchObject({ cancel_at_period_end: true });
    });
  });

  it('with the account, what still runs ends at once', async () => {
    const device = await shop.learner();
    await shop.pay(device, 'PRO', 'year');
    const { id } = await subscriptionOf(device);
    await leaving().request(device.userId);
    expect(goodbyeTo(device).plan).toMatchObject({ endsAt: goodbyeTo(device).eraseAt });
    expect(goodbyeTo(device).plan?.paidUntil).not.toBeNull();
    await shop.twin.advance(30 * DAY_MS);
    const failures: unknown[] = [];
    await eraseDue({
      db: shop.db,
      now: shop.twin.now,
      beforeErase: shop.billing.forget,
      onFailure: (error) => failures.push(error),
    });
    expect(failures).toEqual([]);
    expect(await shop.stripe.subscriptions.retrieve(id)).toMatchObject({ status: 'canceled' });
    expect(await shop.row(device.userId)).toBeNull();
  });

  it('a plan ends with the access that was taken away, and goes on with it', async () => {
    const server = await startServer(shop.server.database, { payments: shop.payments });
    try {
      const [device, admin] = [await shop.learner(), await shop.learner()];
      await shop.pay(device);
      await shop.db.update(tables.users).set({ isAdmin: true }).where(eq(tables.users.userId, admin.userId));
      await confirmDevice(server, admin);
      const decide = (what: string) =>
        server.post(`/v1/admin/${what}-access`, { userId: device.userId, reason: 'a breach' }, admin.token);
      expect((await decide('revoke')).status).toBe(200);
      expect(await subscriptionOf(device)).toMatchObject({ cancel_at_period_end: true });
      // Of two servers that look at once, the one that began last writes: here it may be the one that was told by the event.
      await shop.twin.deliveries.settled();
      expect((await shop.billing.reconcile()).repaired).toBe(0);
      // At the provider's pages, by mistake.
      await shop.atPortal(device, { act: 'keep' });
      expect(await subscriptionOf(device)).toMatchObject({ cancel_at_period_end: true });
      // Whoever keeps an account has not got access back by it.
      await leaving().request(device.userId);
      expect(goodbyeTo(device).plan).toMatchObject({ goesOnIfKept: false });
      await leaving().withdraw(device.userId);
      expect(await subscriptionOf(device)).toMatchObject({ cancel_at_period_end: true });

      const { id } = await subscriptionOf(device);
      await play({ does: 'cut', when: 'before', on: `POST /v1/subscriptions/${id}`, times: 3 });
      expect((await decide('grant')).status).toBe(200);
      await shop.billing.reconcile();
      await shop.billing.reconcile();
      expect(await subscriptionOf(device)).toMatchObject({
        cancel_at_period_end: false,
        metadata: { userId: device.userId },
      });
    } finally {
      await server.app.close();
    }
  });

  it('the server as a whole says at once what becomes of the plan, before any word of it has come', async () => {
    const server = await startServer(shop.server.database, { payments: shop.payments });
    try {
      const device = await shop.learner();
      await shop.pay(device);
      shop.twin.deliveries.hold();
      await confirmDevice(server, device);
      const ask = async (path: string): Promise<AccountView> =>
        (await server.post(`/v1/account/${path}`, {}, device.token)).body as AccountView;
      const { subscription } = await ask('request-deletion');
      expect(subscription).toMatchObject({
        status: 'active',
        endsWithAccount: true,
        endsAt: subscription?.currentPeriodEnd,
      });
      expect((await ask('withdraw-deletion')).subscription).toMatchObject({ endsWithAccount: false, endsAt: null });
    } finally {
      await server.app.close();
    }
  });
}
