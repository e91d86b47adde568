import { eq } from 'drizzle-orm';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { DatabaseConnection } from '../db/client.ts';
import { tables } from '../db/tables.ts';
import type { ProviderSubscription } from '../ports/payments/index.ts';
import { type TestDevice } from '../../test-kit/server.ts';
import { DAY_MS, setUpBillingFixture, type BillingFixture } from '../../test-kit/billing/billing-fixture.ts';

/** How many generated lifecycles to run; raise it for a deeper search. */
const RUNS = Number(process.env['PARLEY_SUBSCRIPTION_LIVES'] ?? 25);

export function lifecycleSuite(open: () => Promise<DatabaseConnection>): void {
  const shop = setUpBillingFixture(open);

  describe('the lifecycle of a subscription', () => {
    const Action = fc.constantFrom(
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
      "ends in the provider's state whatever the order of its events",
      { tags: ['slow'], timeout: 30_000 + RUNS * 2_000 },
      async () => {
        await fc.assert(
          fc.asyncProperty(
            fc.array(Action, { minLength: 2, maxLength: 9 }),
            fc.infiniteStream(fc.double({ min: 0, max: 1, noNaN: true })),
            async (acts, chances) => {
              const chance = (): number => Number(chances.next().value);
              const device = await shop.registerLearner();
              shop.stripeFake.deliveries.hold();
              for (const act of acts) await perform(shop, device, act);
              const waiting = shop.stripeFake.deliveries.held().map(({ id }) => ({ id, at: chance() }));
              const order = waiting.toSorted((a, b) => a.at - b.at).map(({ id }) => id);
              // Some events are never delivered, and some twice.
              await shop.stripeFake.deliveries.release(order);
              for (const { eventId } of shop.stripeFake.deliveries.all().slice(-20))
                if (chance() < 0.2) await shop.stripeFake.deliveries.redeliver(eventId);
              await shop.stripeFake.deliveries.resume();
              await shop.stripeFake.deliveries.settled();
              // The provider drops events after a month. Only reconciliation finds those changes.
              if (shop.stripeFake.deliveries.all().some(({ type }) => type === 'forgotten'))
                await shop.billing.reconcile();
              const customers = await shop.db
                .select()
                .from(tables.customers)
                .where(eq(tables.customers.userId, device.userId));
              const [customer] = customers;
              if (customer === undefined) return;
              const said = await shop.effectiveSubscription(customer.customerId);
              const row = await shop.subscriptionRow(device.userId);
              expect(comparable(row)).toEqual(
                said === null ? null : comparable({ ...said, providerSubscriptionId: said.id }),
              );
            },
          ),
          { numRuns: RUNS },
        );
      },
    );
  });
}

const comparable = (
  of:
    | (Omit<ProviderSubscription, 'id' | 'customerId' | 'priceId' | 'createdAt'> & {
        providerSubscriptionId: string | null;
      })
    | Awaited<ReturnType<BillingFixture['subscriptionRow']>>,
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

/** Performs a random action of the learner or their bank. Actions that are impossible now are skipped. */
async function perform(shop: BillingFixture, device: TestDevice, act: string): Promise<void> {
  const current = await currentOf(shop, device.userId);
  const isThere = current !== null && current.endedAt === null;
  switch (act) {
    case 'plus':
    case 'pro': {
      const plan = act === 'plus' ? 'PLUS' : 'PRO';
      const { providerId } = await shop.findPrice(plan);
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
      if (current !== null) shop.stripeFake.setCards(current.customerId, act === 'cardFails' ? 'decline' : 'work');
      return undefined;
    default:
      await shop.stripeFake.advance((act === 'days' ? 3 : 31) * DAY_MS);
      return undefined;
  }
}

async function currentOf(shop: BillingFixture, userId: string): Promise<ProviderSubscription | null> {
  const [customer] = await shop.db.select().from(tables.customers).where(eq(tables.customers.userId, userId));
  return customer === undefined ? null : shop.effectiveSubscription(customer.customerId);
}
