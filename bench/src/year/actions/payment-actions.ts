/** Payment actions: on the provider's own pages as a browser does, or through the server. */
import { LearnerId } from '@parley/domain';
import { eq } from 'drizzle-orm';
import type { Stripe } from 'stripe';
import { tables } from '../../../../sync-server/src/db/tables.ts';
import { type AccountScript, requireMail } from '../account-script.ts';
import { attempt, addPossibleState, randomNode, providerStateOf, type SimulatedYear } from '../simulated-year.ts';

export type PlanPrice = { plan: 'PLUS' | 'PRO'; interval: 'month' | 'year' };

async function recordCustomer({ fixture }: SimulatedYear, script: AccountScript): Promise<void> {
  if (script.customer !== null || script.userId === null) return;
  const [row] = await fixture.db.select().from(tables.customers).where(eq(tables.customers.userId, script.userId));
  if (row === undefined) return;
  script.customer = row.customerId;
}

export async function startTrial(year: SimulatedYear, script: AccountScript): Promise<void> {
  if (script.userId === null) return;
  const userId = LearnerId.parse(script.userId);
  await attempt(year, script, { what: 'the free week', mayFail: ['billing.trial_used'] }, () =>
    randomNode(year).billing.startTrial(userId),
  );
  await recordCustomer(year, script);
  // The server reads the state as soon as it changes.
  addPossibleState(year, script);
  await year.fixture.stripeFake.deliveries.settled();
}

export async function buyPlan(
  year: SimulatedYear,
  script: AccountScript,
  { plan, interval }: PlanPrice,
): Promise<void> {
  const { fixture } = year;
  const price = fixture.prices.find((known) => known.plan === plan && known.interval === interval);
  if (script.userId === null || price === undefined) return;
  const userId = LearnerId.parse(script.userId);
  const isLeaving = script.deletionRequestedMs !== null;
  const mayFail = ['billing.already_subscribed', ...(isLeaving ? ['account.leaving'] : [])];
  const open = await attempt(year, script, { what: 'checkout', mayFail }, () =>
    randomNode(year).billing.checkout(userId, price.id),
  );
  year.findings.expect(open === null || !isLeaving, script, () => 'could buy after requesting deletion');
  await recordCustomer(year, script);
  // The server asks the provider first, so a second purchase is refused even before the event of the first arrives.
  if (open === null) return;
  await sendForm(open.url, { act: 'pay' });
  await fixture.stripeFake.deliveries.settled();
}

type PortalAct = 'cancel' | 'keep' | 'switch' | 'add_card' | 'add_declining_card';

export async function actInPortal(
  year: SimulatedYear,
  script: AccountScript,
  act: PortalAct,
  to?: PlanPrice,
): Promise<void> {
  const { fixture } = year;
  const current = providerStateOf(year, script);
  if (script.userId === null || current === null || current.endedAtMs !== null) return;
  const userId = LearnerId.parse(script.userId);
  const open = await attempt(year, script, { what: 'the portal' }, () => randomNode(year).billing.portal(userId));
  if (open === null) return;
  const price = fixture.prices.find((known) => known.plan === to?.plan && known.interval === to.interval);
  if (act === 'switch' && (price === undefined || price.providerId === current.price)) return;
  await sendForm(open.url, { act, subscription: current.id, price: price?.providerId ?? '' });
  if (act === 'add_card' || act === 'add_declining_card') script.cardFails = act === 'add_declining_card';
  await fixture.stripeFake.deliveries.settled();
}

/** A refusal is shown in the browser and changes nothing. */
async function sendForm(url: string, fields: Record<string, string>): Promise<void> {
  const answer = await fetch(url, { method: 'POST', body: new URLSearchParams(fields), redirect: 'manual' });
  await answer.body?.cancel();
}

/** The bank blocks the card. */
export function blockCard({ fixture }: SimulatedYear, script: AccountScript): void {
  if (script.customer === null) return;
  fixture.stripeFake.setCards(script.customer, 'decline');
  script.cardFails = true;
}

export async function refundPayment({ fixture }: SimulatedYear, script: AccountScript): Promise<void> {
  if (script.customer === null) return;
  const { data } = await fixture.stripe.charges.list({ customer: script.customer, limit: 1 });
  const [charge] = data;
  if (charge === undefined || !charge.paid || charge.refunded) return;
  await fixture.stripe.refunds.create({ charge: charge.id });
  await fixture.stripeFake.deliveries.settled();
}

/** The operator pauses or resumes collecting payments. */
export async function setCollectionPaused(
  year: SimulatedYear,
  script: AccountScript,
  isResting: boolean,
): Promise<void> {
  const { fixture } = year;
  const current = providerStateOf(year, script);
  if (current === null || current.endedAtMs !== null || !['active', 'paused'].includes(current.status)) return;
  await fixture.stripe.subscriptions.update(current.id, {
    pause_collection: isResting ? { behavior: 'void' } : '',
  });
  await fixture.stripeFake.deliveries.settled();
}

/** Records the mails that an event requires. */
export function requireMailsFor(scripts: readonly AccountScript[], event: Stripe.Event, atMs: number): void {
  const owes = (customer: unknown, mail: string): void => {
    const script = scripts.find((each) => each.customer !== null && each.customer === customer);
    if (script !== undefined) requireMail(script, mail, atMs);
  };
  // A free week costs nothing, so it requires no receipt.
  if (event.type === 'invoice.paid' && event.data.object.amount_paid > 0)
    owes(event.data.object.customer, `receipt ${event.data.object.id}`);
  if (event.type === 'customer.subscription.trial_will_end') owes(event.data.object.customer, 'trial_ending trial');
}
