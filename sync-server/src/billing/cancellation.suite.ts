import type { AccountView } from '@parley/contract';
import { eq } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import { type AccountMail, createDeletion, type Deletion, eraseDueAccounts } from '../account/index.ts';
import type { DatabaseConnection } from '../db/client.ts';
import { tables } from '../db/tables.ts';
import { confirmDevice, startServer, type TestDevice } from '../../test-kit/server.ts';
import type { Billing } from './index.ts';
import { DAY_MS, setUpBillingFixture } from '../../test-kit/billing/billing-fixture.ts';

export function cancellationSuite(open: () => Promise<DatabaseConnection>): void {
  const shop = setUpBillingFixture(open);
  const mails: AccountMail[] = [];

  /** Wired as in the server: a change that the provider cannot accept now is retried by reconciliation. */
  const createDeletionWith = (billing: Billing = shop.billing): Deletion =>
    createDeletion({
      db: shop.db,
      now: shop.stripeFake.now,
      mail: async (_tx, letter) => void mails.push(letter),
      keepUrl: 'http://parley.test/account',
      onDeletionChanged: (userId) => billing.syncSubscriptionWithAccount(userId).catch(() => undefined),
    });
  const subscriptionOf = async ({ userId }: TestDevice) =>
    shop.stripe.subscriptions.retrieve((await shop.subscriptionRow(userId))?.providerSubscriptionId ?? '');
  /** An event that is still in flight would trigger a read, which would consume the scripted answer. */
  const play = async (...steps: Parameters<typeof shop.stripeFake.play>): Promise<void> => {
    await shop.stripeFake.deliveries.settled();
    shop.stripeFake.play(...steps);
  };
  const paidInvoices = async ({ userId }: TestDevice) =>
    (await shop.billing.invoices(userId)).filter(({ amountPaid }) => amountPaid > 0).length;
  const deletionNoticeTo = ({ userId }: TestDevice) => {
    const letter = mails.findLast((known) => known.userId === userId);
    if (letter?.kind !== 'goodbye') throw new Error('no deletion mail was sent');
    return letter.data;
  };

  describe('a learner who requests deletion', () => {
    it('is not charged again: the plan ends with the paid period', async () => {
      const device = await shop.registerLearner();
      await shop.pay(device);
      await createDeletionWith().request(device.userId);
      expect(await subscriptionOf(device)).toMatchObject({ cancel_at_period_end: true });
      const row = await shop.subscriptionRow(device.userId);
      expect(row).toMatchObject({ planType: 'PLUS', status: 'active', cancelAtPeriodEnd: true });
      const [month] = [row?.currentPeriodEnd];
      expect(deletionNoticeTo(device).plan).toEqual({
        endsAt: new Date(Math.min(month?.getTime() ?? 0, deletionNoticeTo(device).eraseAt.getTime())),
        continuesIfKept: true,
        isPaymentLate: false,
        isPeriodUnpaid: false,
        paidUntil: (month ?? 0) > deletionNoticeTo(device).eraseAt ? month : null,
      });
      await shop.stripeFake.advance(32 * DAY_MS);
      await shop.stripeFake.deliveries.settled();
      expect(await shop.subscriptionRow(device.userId)).toMatchObject({ status: 'canceled' });
      expect(await paidInvoices(device)).toBe(1);
    });

    it('who withdraws it keeps the plan and its planned change', async () => {
      const device = await shop.registerLearner();
      await shop.pay(device, 'PRO');
      await shop.pressAtPortal(device, { act: 'switch', price: (await shop.findPrice('PLUS')).providerId });
      await createDeletionWith().request(device.userId);
      expect(await subscriptionOf(device)).toMatchObject({ cancel_at_period_end: true, schedule: null });
      await createDeletionWith().withdraw(device.userId);
      const kept = await subscriptionOf(device);
      expect(kept).toMatchObject({ cancel_at_period_end: false, cancel_at: null, metadata: { userId: device.userId } });
      expect(kept.schedule).not.toBeNull();
      expect(await shop.subscriptionRow(device.userId)).toMatchObject({ planType: 'PRO', cancelAtPeriodEnd: false });
      await shop.stripeFake.advance(32 * DAY_MS);
      await shop.stripeFake.deliveries.settled();
      expect(await shop.subscriptionRow(device.userId)).toMatchObject({ planType: 'PLUS', status: 'active' });
    });

    it.each([
      ['on the provider’s pages', 'cancel'],
      ['by the operator', 'api'],
    ])('does not get back a plan that was cancelled before %s', async (_where, by) => {
      const device = await shop.registerLearner();
      await shop.pay(device);
      if (by === 'cancel') await shop.pressAtPortal(device, { act: 'cancel' });
      else {
        await shop.stripe.subscriptions.update((await subscriptionOf(device)).id, { cancel_at_period_end: true });
        await shop.stripeFake.deliveries.settled();
      }
      const before = await subscriptionOf(device);
      await createDeletionWith().request(device.userId);
      expect(deletionNoticeTo(device).plan).toMatchObject({ continuesIfKept: false });
      await createDeletionWith().withdraw(device.userId);
      expect(await subscriptionOf(device)).toEqual(before);
      expect(await shop.subscriptionRow(device.userId)).toMatchObject({ cancelAtPeriodEnd: true });
    });

    it("cannot renew the plan by accident on the provider's pages", async () => {
      const device = await shop.registerLearner();
      await shop.pay(device);
      await createDeletionWith().request(device.userId);
      await shop.pressAtPortal(device, { act: 'keep' });
      expect(await subscriptionOf(device)).toMatchObject({ cancel_at_period_end: true });
    });

    it('resumes the plan although two servers cancelled and resumed it', async () => {
      const device = await shop.registerLearner();
      await shop.pay(device, 'PRO');
      const { id } = await subscriptionOf(device);
      await shop.stripeFake.deliveries.settled();
      shop.stripeFake.deliveries.hold();
      await shop.payments.cancelWithAccount(id);
      await shop.payments.cancelWithAccount(id);
      expect(await subscriptionOf(device)).toMatchObject({ cancel_at_period_end: true });
      await shop.payments.resumeWithAccount(id);
      await shop.stripeFake.deliveries.resume();
      expect(await subscriptionOf(device)).toMatchObject({ cancel_at_period_end: false, cancel_at: null });
      // A later choice of the learner is not undone by the slower server.
      await shop.pressAtPortal(device, { act: 'cancel' });
      await shop.payments.resumeWithAccount(id);
      expect(await subscriptionOf(device)).toMatchObject({ cancel_at: expect.any(Number) });
    });

    it('can buy nothing, not even on an open checkout page', async () => {
      const device = await shop.registerLearner();
      const { url } = await shop.billing.checkout(device.userId, (await shop.findPrice('PRO')).id);
      await createDeletionWith().request(device.userId);
      await fetch(url, { method: 'POST', body: new URLSearchParams({ act: 'pay' }), redirect: 'manual' });
      await shop.stripeFake.deliveries.settled();
      expect(await shop.subscriptionRow(device.userId)).toBeNull();
      const priceId = (await shop.findPrice('PRO')).id;
      await expect(shop.billing.checkout(device.userId, priceId)).rejects.toMatchObject({ code: 'account.leaving' });
      await expect(shop.billing.startTrial(device.userId)).rejects.toMatchObject({ code: 'account.leaving' });
      await createDeletionWith().withdraw(device.userId);
      await shop.pay(device, 'PRO');
    });

    it('is warned that a period that just began may still be charged', async () => {
      const device = await shop.registerLearner();
      await shop.pay(device);
      const { currentPeriodEnd } = (await shop.subscriptionRow(device.userId)) ?? {};
      await shop.stripeFake.advanceTo(new Date((currentPeriodEnd?.getTime() ?? 0) + 60_000));
      await shop.stripeFake.deliveries.settled();
      await createDeletionWith().request(device.userId);
      expect(deletionNoticeTo(device).plan).toMatchObject({ isPaymentLate: false, isPeriodUnpaid: true });
      expect(await paidInvoices(device)).toBe(1);

      await shop.stripeFake.advance(DAY_MS);
      await shop.stripeFake.deliveries.settled();
      expect(await paidInvoices(device)).toBe(2);
      await createDeletionWith().withdraw(device.userId);
      await createDeletionWith().request(device.userId);
      expect(deletionNoticeTo(device).plan).toMatchObject({ isPeriodUnpaid: false });
    });

    it('is warned about an open late payment', async () => {
      const device = await shop.registerLearner();
      await shop.pay(device);
      shop.stripeFake.setCards(await shop.customerIdOf(device.userId), 'decline');
      await shop.stripeFake.advance(32 * DAY_MS);
      await shop.stripeFake.deliveries.settled();
      await createDeletionWith().request(device.userId);
      expect(deletionNoticeTo(device).plan).toMatchObject({ isPaymentLate: true });
      expect(await subscriptionOf(device)).toMatchObject({ cancel_at_period_end: true });
    });
  });

  describe('while the provider is unreachable', () => {
    it.each(['cut', 'reject'] as const)(
      'the request stands, and reconciliation applies it later (%s)',
      { tags: ['slow'] },
      async (does) => {
        const device = await shop.registerLearner();
        await shop.pay(device);
        const { id } = await subscriptionOf(device);
        const on = `POST /v1/subscriptions/${id}`;
        const fails =
          does === 'cut' ? ({ does, when: 'before', on, times: 2 } as const) : ({ does, status: 500, on } as const);
        await play(fails);
        await createDeletionWith().request(device.userId);
        expect(await subscriptionOf(device)).toMatchObject({ cancel_at_period_end: false });
        expect((await shop.billing.reconcile()).repaired).toBe(1);
        expect(await subscriptionOf(device)).toMatchObject({ cancel_at_period_end: true });
        expect((await shop.billing.reconcile()).repaired).toBe(0);

        await play(fails);
        await createDeletionWith().withdraw(device.userId);
        expect(await subscriptionOf(device)).toMatchObject({ cancel_at_period_end: true });
        expect((await shop.billing.reconcile()).repaired).toBe(1);
        expect(await subscriptionOf(device)).toMatchObject({
          cancel_at_period_end: false,
          metadata: { userId: device.userId },
        });
        expect((await shop.billing.reconcile()).repaired).toBe(0);
      },
    );

    it('a half-finished change is completed', { tags: ['slow'] }, async () => {
      const device = await shop.registerLearner();
      await shop.pay(device, 'PRO');
      await shop.pressAtPortal(device, { act: 'switch', price: (await shop.findPrice('PLUS')).providerId });
      shop.stripeFake.deliveries.hold();
      await play({ does: 'reject', status: 500, on: 'POST /v1/subscription_schedules' });
      await createDeletionWith().request(device.userId);
      expect(await subscriptionOf(device)).toMatchObject({ metadata: { ends_with_account: 'yes' }, cancel_at: null });
      await shop.billing.reconcile();
      expect(await subscriptionOf(device)).toMatchObject({ cancel_at_period_end: true });
      const on = 'POST /v1/subscription_schedules';
      await play({ does: 'answer', on }, { does: 'reject', status: 500, on });
      await createDeletionWith().withdraw(device.userId);
      await shop.billing.reconcile();
      await shop.stripeFake.deliveries.resume();
      await shop.stripeFake.advance(32 * DAY_MS);
      await shop.stripeFake.deliveries.settled();
      expect(await shop.subscriptionRow(device.userId)).toMatchObject({ planType: 'PLUS', status: 'active' });
    });

    it('a refused change of one plan does not block the others', { tags: ['slow'] }, async () => {
      const [stuck, device] = [await shop.registerLearner(), await shop.registerLearner()];
      await shop.pay(stuck);
      await shop.pay(device);
      const { id } = await subscriptionOf(stuck);
      await play({ does: 'reject', status: 400, on: `POST /v1/subscriptions/${id}`, times: 2 });
      await createDeletionWith().request(stuck.userId);
      expect(shop.alerts).toContainEqual({
        what: 'not_as_account',
        customerId: await shop.customerIdOf(stuck.userId),
        subscriptionId: id,
      });
      await play({
        does: 'cut',
        when: 'before',
        on: `POST /v1/subscriptions/${(await subscriptionOf(device)).id}`,
      });
      await createDeletionWith().request(device.userId);
      await shop.billing.reconcile();
      expect(await subscriptionOf(device)).toMatchObject({ cancel_at_period_end: true });
    });
  });

  describe('a checkout that stayed open although its learner must not pay', () => {
    /** The server stops after the commit, before it asks the provider for anything. */
    const createStoppedDeletion = (): Deletion =>
      createDeletionWith({ ...shop.billing, syncSubscriptionWithAccount: async () => undefined });
    const openCheckouts = async ({ userId }: TestDevice): Promise<number> => {
      const customer = await shop.customerIdOf(userId);
      return (await shop.stripe.checkout.sessions.list({ customer, status: 'open' })).data.length;
    };
    const openCheckout = async (device: TestDevice): Promise<string> => {
      const { url } = await shop.billing.checkout(device.userId, (await shop.findPrice('PRO')).id);
      // An event about the new customer would close the checkout.
      await shop.stripeFake.deliveries.settled();
      await createStoppedDeletion().request(device.userId);
      expect(await openCheckouts(device)).toBe(1);
      return url;
    };

    it('is closed by reconciliation', async () => {
      const device = await shop.registerLearner();
      await openCheckout(device);
      await shop.billing.reconcile();
      expect(await openCheckouts(device)).toBe(0);
    });

    it('is closed by the next event about the customer', async () => {
      const device = await shop.registerLearner();
      await openCheckout(device);
      await shop.stripe.customers.update(await shop.customerIdOf(device.userId), { name: 'Anna' });
      await shop.stripeFake.deliveries.settled();
      expect(await openCheckouts(device)).toBe(0);
    });

    it('does not keep the learners of another provider account from being reconciled', { tags: ['slow'] }, async () => {
      const device = await shop.registerLearner();
      await openCheckout(device);
      const customerId = `cus_of_another_account_${device.userId}`;
      await shop.db.update(tables.customers).set({ customerId }).where(eq(tables.customers.userId, device.userId));
      await expect(shop.billing.reconcile()).resolves.toMatchObject({ ended: 0 });
    });

    it('is reported once when it was paid, and its plan does not renew', async () => {
      const device = await shop.registerLearner();
      await shop.payAt(await openCheckout(device));
      expect(await subscriptionOf(device)).toMatchObject({ cancel_at_period_end: true });
      const { id: subscriptionId } = await subscriptionOf(device);
      const customerId = await shop.customerIdOf(device.userId);
      await shop.billing.reconcile();
      expect(shop.alerts.filter((alert) => alert.customerId === customerId)).toEqual([
        { what: 'paid_without_access', customerId, subscriptionId },
      ]);
    });
  });

  it('erasing the account ends a running plan at once', async () => {
    const device = await shop.registerLearner();
    await shop.pay(device, 'PRO', 'year');
    const { id } = await subscriptionOf(device);
    await createDeletionWith().request(device.userId);
    expect(deletionNoticeTo(device).plan).toMatchObject({ endsAt: deletionNoticeTo(device).eraseAt });
    expect(deletionNoticeTo(device).plan?.paidUntil).not.toBeNull();
    await shop.stripeFake.advance(30 * DAY_MS);
    const failures: unknown[] = [];
    await eraseDueAccounts({
      db: shop.db,
      now: shop.stripeFake.now,
      beforeErase: shop.billing.removeCustomer,
      onFailure: (error) => failures.push(error),
    });
    expect(failures).toEqual([]);
    expect(await shop.stripe.subscriptions.retrieve(id)).toMatchObject({ status: 'canceled' });
    expect(await shop.subscriptionRow(device.userId)).toBeNull();
  });

  it('an account whose plan is still charged is not erased while payments are off', async () => {
    const device = await shop.registerLearner();
    await shop.pay(device);
    const { id } = await subscriptionOf(device);
    const withoutPayments = shop.createNode({ payments: null });
    await createDeletionWith(withoutPayments).request(device.userId);
    await shop.stripeFake.advance(31 * DAY_MS);
    await shop.stripeFake.deliveries.settled();
    const erase = async ({ removeCustomer }: Billing): Promise<unknown[]> => {
      const failures: unknown[] = [];
      await eraseDueAccounts({
        db: shop.db,
        now: shop.stripeFake.now,
        beforeErase: removeCustomer,
        onFailure: (error) => failures.push(error),
      });
      return failures;
    };
    expect(await erase(withoutPayments)).toMatchObject([{ code: 'billing.unavailable' }]);
    expect(await shop.subscriptionRow(device.userId)).toMatchObject({ status: 'active' });
    expect(await erase(shop.billing)).toEqual([]);
    expect(await shop.stripe.subscriptions.retrieve(id)).toMatchObject({ status: 'canceled' });
    expect(await shop.subscriptionRow(device.userId)).toBeNull();
  });

  it('a plan is cancelled with revoked access and resumed with it', async () => {
    const server = await startServer(shop.server.database, { payments: shop.payments });
    try {
      const [device, admin] = [await shop.registerLearner(), await shop.registerLearner()];
      await shop.pay(device);
      await shop.db.update(tables.users).set({ isAdmin: true }).where(eq(tables.users.userId, admin.userId));
      await confirmDevice(server, admin);
      const decide = (call: 'grant-access-to-many' | 'revoke-access-of-many') =>
        server.post(`/v1/admin/${call}`, { userIds: [device.userId], reason: 'a breach' }, admin.token);
      expect((await decide('revoke-access-of-many')).status).toBe(200);
      expect(await subscriptionOf(device)).toMatchObject({ cancel_at_period_end: true });
      // When two servers read at the same time, the one that began last writes, and here that may be the one triggered
      // by the event.
      await shop.stripeFake.deliveries.settled();
      expect((await shop.billing.reconcile()).repaired).toBe(0);
      // The learner presses "keep" on the provider's pages by mistake.
      await shop.pressAtPortal(device, { act: 'keep' });
      expect(await subscriptionOf(device)).toMatchObject({ cancel_at_period_end: true });
      // Withdrawing the deletion does not restore the access.
      await createDeletionWith().request(device.userId);
      expect(deletionNoticeTo(device).plan).toMatchObject({ continuesIfKept: false });
      await createDeletionWith().withdraw(device.userId);
      expect(await subscriptionOf(device)).toMatchObject({ cancel_at_period_end: true });

      const { id } = await subscriptionOf(device);
      await play({ does: 'cut', when: 'before', on: `POST /v1/subscriptions/${id}`, times: 3 });
      expect((await decide('grant-access-to-many')).status).toBe(200);
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

  it('the server shows the cancellation at once, before any event', async () => {
    const server = await startServer(shop.server.database, { payments: shop.payments });
    try {
      const device = await shop.registerLearner();
      await shop.pay(device);
      shop.stripeFake.deliveries.hold();
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
