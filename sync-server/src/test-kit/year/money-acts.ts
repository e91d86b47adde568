/** Paying and not paying: at the provider's own pages, as a browser does, or through the server where the app asks it. */
import { LearnerId } from '@parley/domain';
import { eq } from 'drizzle-orm';
import type { Stripe } from 'stripe';
import { tables } from '../../db/tables.ts';
import { type Life, noteOwed } from './life.ts';
import { attempt, noteBelieved, someNode, truthOf, type Year } from './year.ts';

export type PlanPrice = { plan: 'PLUS' | 'PRO'; interval: 'month' | 'year' };

async function noteCustomer({ stage }: Year, life: Life): Promise<void> {
  if (life.customer !== null || life.userId === null) return;
  const [row] = await stage.db.select().from(tables.customers).where(eq(tables.customers.userId, life.userId));
  if (row === undefined) return;
  life.customer = row.customerId;
}

export async function tryForAWeek(year: Year, life: Life): Promise<void> {
  if (life.userId === null) return;
  const userId = LearnerId.parse(life.userId);
  await attempt(year, life, { what: 'the free week', mayFail: ['billing.trial_used'] }, () =>
    someNode(year).billing.startTrial(userId),
  );
  await noteCustomer(year, life);
  // It is looked at once it is there.
  noteBelieved(year, life);
  await year.stage.twin.deliveries.settled();
}

export async function buy(year: Year, life: Life, { plan, interval }: PlanPrice): Promise<void> {
  const { stage } = year;
  const price = stage.prices.find((known) => known.plan === plan && known.interval === interval);
  if (life.userId === null || price === undefined) return;
  const userId = LearnerId.parse(life.userId);
  const isLeaving = life.leavesAskedMs !== null;
  const mayFail = ['billing.already_subscribed', ...(isLeaving ? ['account.leaving'] : [])];
  const open = await attempt(year, life, { what: 'checkout', mayFail }, () =>
    someNode(year).billing.checkout(userId, price.id),
  );
  year.findings.expect(open === null || !isLeaving, life, () => 'could buy while leaving');
  await noteCustomer(year, life);
  // Nobody pays twice: the server asks the provider first, so it refuses also where it has not heard of the first payment.
  if (open === null) return;
  await sendForm(open.url, { act: 'pay' });
  await stage.twin.deliveries.settled();
}

type PortalAct = 'cancel' | 'keep' | 'switch' | 'add_card' | 'add_declining_card';

export async function actInPortal(year: Year, life: Life, act: PortalAct, to?: PlanPrice): Promise<void> {
  const { stage } = year;
  const current = truthOf(year, life);
  if (life.userId === null || current === null || current.endedAtMs !== null) return;
  const userId = LearnerId.parse(life.userId);
  const open = await attempt(year, life, { what: 'the portal' }, () => someNode(year).billing.portal(userId));
  if (open === null) return;
  const price = stage.prices.find((known) => known.plan === to?.plan && known.interval === to.interval);
  if (act === 'switch' && (price === undefined || price.providerId === current.price)) return;
  await sendForm(open.url, { act, subscription: current.id, price: price?.providerId ?? '' });
  if (act === 'add_card' || act === 'add_declining_card') life.cardFails = act === 'add_declining_card';
  await stage.twin.deliveries.settled();
}

/** What a page refuses it says to the browser, and nothing has changed. */
async function sendForm(url: string, fields: Record<string, string>): Promise<void> {
  const answer = await fetch(url, { method: 'POST', body: new URLSearchParams(fields), redirect: 'manual' });
  await answer.body?.cancel();
}

/** The bank stops the card, all by itself. */
export function loseCard({ stage }: Year, life: Life): void {
  if (life.customer === null) return;
  stage.twin.setCards(life.customer, 'decline');
  life.cardFails = true;
}

export async function payBack({ stage }: Year, life: Life): Promise<void> {
  if (life.customer === null) return;
  const { data } = await stage.stripe.charges.list({ customer: life.customer, limit: 1 });
  const [charge] = data;
  if (charge === undefined || !charge.paid || charge.refunded) return;
  await stage.stripe.refunds.create({ charge: charge.id });
  await stage.twin.deliveries.settled();
}

/** By the shop's own hand: collection rests, and goes on. */
export async function rest(year: Year, life: Life, isResting: boolean): Promise<void> {
  const { stage } = year;
  const current = truthOf(year, life);
  if (current === null || current.endedAtMs !== null || !['active', 'paused'].includes(current.status)) return;
  await stage.stripe.subscriptions.update(current.id, {
    pause_collection: isResting ? { behavior: 'void' } : '',
  });
  await stage.twin.deliveries.settled();
}

/** What the server has heard from the provider it tells the learner. */
export function noteTaken(lives: readonly Life[], event: Stripe.Event, atMs: number): void {
  const owes = (customer: unknown, mail: string): void => {
    const life = lives.find((each) => each.customer !== null && each.customer === customer);
    if (life !== undefined) noteOwed(life, mail, atMs);
  };
  // A free week costs nothing.
  if (event.type === 'invoice.paid' && event.data.object.amount_paid > 0)
    owes(event.data.object.customer, `receipt ${event.data.object.id}`);
  if (event.type === 'customer.subscription.trial_will_end') owes(event.data.object.customer, 'trial_ending trial');
}
