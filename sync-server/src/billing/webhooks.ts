/**
 * Handles webhook events from the payment provider. Each event is recorded by its id and triggers a fresh read of its
 * subject.
 */
import { cancellationDate, willRenew } from '@parley/domain';
import { eq } from 'drizzle-orm';
import { readTimeZone } from '../account/index.ts';
import type { Database } from '../db/client.ts';
import { billingEvents, tables } from '../db/tables.ts';
import { DomainError } from '../domain-error.ts';
import { PaymentFailure, type Payments, type ProviderEvent } from '../ports/payments/index.ts';
import { readPlansByPriceId } from './sync-customer.ts';

/** Enqueues a mail about money. Each step is sent once. */
export type BillingMail = (
  tx: Database,
  mail: { userId: string; to: string; step: string } & (
    { kind: 'receipt'; data: Receipt } | { kind: 'trial_ending'; data: TrialEnding }
  ),
) => Promise<void>;

interface ReceiptReader {
  firstName: string | null;
  timeZone: string;
}

interface TrialEnding extends ReceiptReader {
  endsAt: Date;
  /** Whether a paid plan follows, because the trial was set to continue. */
  continues: boolean;
  plansUrl: string;
}

interface Receipt extends ReceiptReader {
  /** The amount in the smallest unit of the currency. */
  amountMinor: number;
  currency: string;
  what: string;
  paidAt: Date;
  invoiceUrl: string;
}

export interface WebhookHandler {
  handleEvent: (body: Uint8Array, signature: string) => Promise<void>;
}

export interface WebhookHandlerParts {
  db: Database;
  now: () => Date;
  payments: Payments;
  mail: BillingMail;
  /** The address of the plans page. */
  plansUrl: string;
  syncCustomer: (customerId: string) => Promise<void>;
  refreshCatalogue: () => Promise<void>;
}

export function createWebhookHandler({
  db,
  now,
  payments,
  mail,
  plansUrl,
  syncCustomer,
  refreshCatalogue,
}: WebhookHandlerParts): WebhookHandler {
  async function handle(event: ProviderEvent): Promise<void> {
    switch (event.about.what) {
      case 'catalogue':
        return refreshCatalogue();
      case 'customer':
        await syncCustomer(event.about.customerId);
        return enqueueMails(event, event.about.customerId);
      default:
    }
  }

  async function enqueueMails({ paid, trialEnds }: ProviderEvent, customerId: string): Promise<void> {
    // A trial and an invoice that credit covers cost nothing, so they get no receipt.
    const isReceipt = paid !== null && paid.amountPaid > 0;
    if (!isReceipt && trialEnds === null) return;
    const { customers, users, subscriptions } = tables;
    const [learner] = await db
      .select({ userId: users.userId, email: users.email, firstName: users.firstName, subscription: subscriptions })
      .from(customers)
      .innerJoin(users, eq(users.userId, customers.userId))
      .leftJoin(subscriptions, eq(subscriptions.userId, customers.userId))
      .where(eq(customers.customerId, customerId));
    if (learner === undefined || learner.email === null) return;
    const to = { userId: learner.userId, to: learner.email };
    const reader = { firstName: learner.firstName, timeZone: await readTimeZone(db, learner.userId) };
    await db.transaction(async (tx) => {
      if (isReceipt) {
        const { amountPaid: amountMinor, currency, at: paidAt, url, priceId } = paid;
        // The learner may have another plan by the time the event arrives.
        const plan = (await readPlansByPriceId(tx)).get(priceId) ?? learner.subscription?.planType;
        const what = plan === 'PRO' ? 'Parley Pro' : 'Parley Plus';
        const data = { ...reader, amountMinor, currency, what, paidAt, invoiceUrl: url ?? plansUrl };
        await mail(tx, { ...to, kind: 'receipt', step: paid.id, data });
      }
      if (trialEnds !== null)
        await mail(tx, {
          ...to,
          kind: 'trial_ending',
          step: 'trial',
          data: { ...reader, endsAt: trialEnds, continues: isRenewing(learner.subscription), plansUrl },
        });
    });
  }

  return {
    async handleEvent(body, signature) {
      const event = readEvent(payments, body, signature);
      const [recorded] = await db
        .insert(billingEvents)
        .values({ eventId: event.id, type: event.type, receivedAt: now(), handledAt: null })
        .onConflictDoNothing()
        .returning();
      if (recorded === undefined) {
        const [known] = await db.select().from(billingEvents).where(eq(billingEvents.eventId, event.id));
        if (known !== undefined && known.handledAt !== null) return;
      }
      // If this fails, the provider sends the event again; handling it twice changes nothing.
      await handle(event);
      await db.update(billingEvents).set({ handledAt: now() }).where(eq(billingEvents.eventId, event.id));
    },
  };
}

const isRenewing = (row: typeof tables.subscriptions.$inferSelect | null): boolean =>
  row !== null && willRenew({ ...row, endsAt: cancellationDate(row) });

function readEvent(payments: Payments, body: Uint8Array, signature: string): ProviderEvent {
  try {
    return payments.readEvent(body, signature);
  } catch (error) {
    if (error instanceof PaymentFailure && error.reason === 'forged')
      throw new DomainError('request.invalid', { field: 'signature' });
    throw error;
  }
}
