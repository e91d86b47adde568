/** The page on which a person pays, or does not. */
import { sayMoney, sayRhythm } from '../billing/money.ts';
import type { CheckoutSessionObject } from '../state/resources.ts';
import type { World } from '../world.ts';
import type { PageAnswer, PageCall } from './answer.ts';
import { completeCheckout, needsCard } from './complete-checkout.ts';
import { html, page, sayDate } from './html.ts';

export function checkoutPage({ world, id, form }: PageCall): PageAnswer {
  const session = world.find('checkout.session', id);
  if (session === undefined) return closed(404, 'There is no such checkout.');
  if (session.status === 'expired') return closed(410, 'This checkout has expired. Nothing was paid.');
  if (session.status === 'complete') return closed(410, 'This checkout is already completed.');
  if (form === null) return show(world, session, { problem: null, email: '' });
  const email = (session.customer_details?.email ?? form.get('email') ?? '').trim();
  const again = (problem: string) => show(world, session, { problem, email });
  if (!/^[^\s@]+@[^\s@]+$/.test(email)) return again('Please enter an e-mail address.');
  if (form.get('act') === 'decline') return again('Your card was declined. Nothing was paid; you can try again.');
  completeCheckout(world, id, { email });
  // A function, or `$&` in an address would be read as a pattern.
  return { redirect: (session.success_url ?? '').replaceAll('{CHECKOUT_SESSION_ID}', () => id) };
}

const closed = (status: number, message: string): PageAnswer => ({
  status,
  page: page('Checkout', html`<p>${message}</p>`),
});

function show(
  world: World,
  session: CheckoutSessionObject,
  { problem, email }: { problem: string | null; email: string },
): PageAnswer {
  const plan = world.state.checkoutPlansBySession[session.id];
  const item = plan?.items[0];
  if (plan === undefined || item === undefined) return closed(404, 'There is no such checkout.');
  const { price, quantity } = item;
  const full = sayMoney((price.unit_amount ?? 0) * (quantity ?? 1), price.currency);
  const trial = plan.trialPeriodDays ?? 0;
  const isTrial = trial > 0 || plan.trialEnd !== null;
  const term = trial > 0 ? `Free for ${trial} days` : `Free until ${sayDate(plan.trialEnd ?? 0)}`;
  const known = session.customer_details?.email ?? null;
  const content = html` <p class="price">${item.description}<br /><strong>${full}</strong> ${sayRhythm(price)}</p>
    ${isTrial ? html`<p>${term}, then ${full} ${sayRhythm(price)}.</p>` : null}
    ${problem === null ? null : html`<p class="alert" role="alert">${problem}</p>`}
    <form method="post">
      ${
        known === null
          ? html`<label for="email">E-mail</label>
              <input id="email" name="email" type="email" autocomplete="email" required value="${email}" />`
          : html`<p class="soft">For ${known}</p>`
      }
      <p class="soft">${needsCard(session) ? 'Paid with a test card ending in 4242.' : 'No card is needed.'}</p>
      <div class="acts">
        <button class="main" name="act" value="pay">${isTrial ? 'Start' : 'Pay'}</button>
        ${needsCard(session) ? html`<button name="act" value="decline">Decline the card</button>` : null}
        ${session.cancel_url === null ? null : html`<a href="${session.cancel_url}">Back</a>`}
      </div>
    </form>`;
  return { status: problem === null ? 200 : 402, page: page('Checkout', content) };
}
