import { eq } from 'drizzle-orm';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { DatabaseConnection } from '../db/client.ts';
import { tables } from '../db/tables.ts';
import type { ProviderSubscription } from '../payments/index.ts';
import { type TestDevice } from '../test-kit/server.ts';
import { DAY_MS, setUpShop, type Shop } from './test-kit/shop.ts';

/** How many subscriptions are lived through; more when somebody wants to know better. */
const LIVES = Number(process.env['PARLEY_SUBSCRIPTION_LIVES'] ?? 25);

export function livesSuite(open: () => Promise<DatabaseConnection>): void {
  const shop = setUpShop(open);

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
