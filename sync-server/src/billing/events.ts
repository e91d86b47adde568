/** What the payment provider tells us: each event is noted by its id, and makes us look at what it is about. */
import { and, desc, eq, isNotNull } from 'drizzle-orm';
import type { Database } from '../db/client.ts';
import { billingEvents, devices, tables } from '../db/tables.ts';
import { failure } from '../failure.ts';
import { PaymentFailure, type Payments, type ProviderEvent } from '../payments/index.ts';

/** What is written to a learner about money; each once. */
export type BillingMail = (
  tx: Database,
  mail: { userId: string; to: string; step: string } & (
    { kind: 'receipt'; data: Receipt } | { kind: 'trial_ending'; data: Reader & { endsAt: Date; plansUrl: string } }
  ),
) => Promise<void>;

interface Reader {
  firstName: string | null;
  timeZone: string;
}

interface Receipt extends Reader {
  /** In the smallest unit of the currency. */
  amountMinor: number;
  currency: string;
  what: string;
  paidAt: Date;
  invoiceUrl: string;
}

export interface EventDesk {
  take: (body: Uint8Array, signature: string) => Promise<void>;
}

export interface EventDeskParts {
  db: Database;
  now: () => Date;
  payments: Payments;
  mail: BillingMail;
  /** Where a browser finds out about plans. */
  plansUrl: string;
  apply: (customerId: string) => Promise<void>;
  mirror: () => Promise<void>;
}

export function createEventDesk({ db, now, payments, mail, plansUrl, apply, mirror }: EventDeskParts): EventDesk {
  async function handle(event: ProviderEvent): Promise<void> {
    switch (event.about.what) {
      case 'catalogue':
        return mirror();
      case 'customer':
        await apply(event.about.customerId);
        return write(event, event.about.customerId);
      default:
    }
  }

  async function write({ paid, trialEnds }: ProviderEvent, customerId: string): Promise<void> {
    // A free week, and what credit has covered, cost nothing: nobody wants a receipt for a payment that never was.
    const isReceipt = paid !== null && paid.amountPaid > 0;
    if (!isReceipt && trialEnds === null) return;
    const { customers, users, subscriptions } = tables;
    const [learner] = await db
      .select({ userId: users.userId, email: users.email, firstName: users.firstName, plan: subscriptions.planType })
      .from(customers)
      .innerJoin(users, eq(users.userId, customers.userId))
      .leftJoin(subscriptions, eq(subscriptions.userId, customers.userId))
      .where(eq(customers.customerId, customerId));
    if (learner === undefined || learner.email === null) return;
    const [device] = await db
      .select({ timeZone: devices.timeZone })
      .from(devices)
      .where(and(eq(devices.userId, learner.userId), isNotNull(devices.timeZone)))
      .orderBy(desc(devices.lastSeenAt))
      .limit(1);
    const to = { userId: learner.userId, to: learner.email };
    const reader = { firstName: learner.firstName, timeZone: device?.timeZone ?? 'UTC' };
    await db.transaction(async (tx) => {
      if (isReceipt) {
        const { amountPaid: amountMinor, currency, at: paidAt, url } = paid;
        const what = learner.plan === 'PRO' ? 'Parley Pro' : 'Parley Plus';
        const data = { ...reader, amountMinor, currency, what, paidAt, invoiceUrl: url ?? plansUrl };
        await mail(tx, { ...to, kind: 'receipt', step: paid.id, data });
      }
      if (trialEnds !== null)
        await mail(tx, {
          ...to,
          kind: 'trial_ending',
          step: 'trial',
          data: { ...reader, endsAt: trialEnds, plansUrl },
        });
    });
  }

  return {
    async take(body, signature) {
      const event = readEvent(payments, body, signature);
      const [noted] = await db
        .insert(billingEvents)
        .values({ eventId: event.id, type: event.type, receivedAt: now(), handledAt: null })
        .onConflictDoNothing()
        .returning();
      if (noted === undefined) {
        const [known] = await db.select().from(billingEvents).where(eq(billingEvents.eventId, event.id));
        if (known !== undefined && known.handledAt !== null) return;
      }
      // Should it fail, the provider tells it again; to look twice changes nothing.
      await handle(event);
      await db.update(billingEvents).set({ handledAt: now() }).where(eq(billingEvents.eventId, event.id));
    },
  };
}

function readEvent(payments: Payments, body: Uint8Array, signature: string): ProviderEvent {
  try {
    return payments.readEvent(body, signature);
  } catch (error) {
    if (error instanceof PaymentFailure && error.reason === 'forged')
      throw failure('request.invalid', { field: 'signature' });
    throw error;
  }
}
