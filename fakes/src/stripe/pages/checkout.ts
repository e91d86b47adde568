/** The checkout page, where a person pays or declines. */
import { formatMoney, formatInterval } from '../billing/format-money.ts';
import type { CheckoutSessionObject } from '../state/resources.ts';
import type { StripeStore } from '../store.ts';
import type { PageResponse, PageRequest } from './page-response.ts';
import { completeCheckout, needsCard } from './complete-checkout.ts';
import { html, renderPage, formatDate } from './html.ts';

export function checkoutPage({ store, id, form }: PageRequest): PageResponse {
  const session = store.find('checkout.session', id);
  if (session === undefined) return closedPage(404, 'There is no such checkout.');
  if (session.status === 'expired') return closedPage(410, 'This checkout has expired. Nothing was paid.');
  if (session.status === 'complete') return closedPage(410, 'This checkout is already completed.');
  if (form === null) return renderCheckout(store, session, { problem: null, email: '' });
  const email = (session.customer_details?.email ?? form.get('email') ?? '').trim();
  const renderAgain = (problem: string) => renderCheckout(store, session, { problem, email });
  if (!/^[^\s@]+@[^\s@]+$/.test(email)) return renderAgain('Please enter an e-mail address.');
  if (form.get('act') === 'decline') return renderAgain('Your card was declined. Nothing was paid; you can try again.');
  completeCheckout(store, id, { email });
  // A replacement function is used because `$&` in a URL would be read as a pattern.
  return { redirect: (session.success_url ?? '').replaceAll('{CHECKOUT_SESSION_ID}', () => id) };
}

const closedPage = (status: number, message: string): PageResponse => ({
  status,
  page: renderPage('Checkout', html`<p>${message}</p>`),
});

function renderCheckout(
  store: StripeStore,
  session: CheckoutSessionObject,
  { problem, email }: { problem: string | null; email: string },
): PageResponse {
  const plan = store.state.checkoutPlansBySession[session.id];
  const item = plan?.items[0];
  if (plan === undefined || item === undefined) return closedPage(404, 'There is no such checkout.');
  const { price, quantity } = item;
  const full = formatMoney((price.unit_amount ?? 0) * (quantity ?? 1), price.currency);
  const trial = plan.trialPeriodDays ?? 0;
  const isTrial = trial > 0 || plan.trialEnd !== null;
  const term = trial > 0 ? `Free for ${trial} days` : `Free until ${formatDate(plan.trialEnd ?? 0)}`;
  const known = session.customer_details?.email ?? null;
  const content = html` <p class="price">${item.description}<br /><strong>${full}</strong> ${formatInterval(price)}</p>
    ${isTrial ? html`<p>${term}, then ${full} ${formatInterval(price)}.</p>` : null}
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
  return { status: problem === null ? 200 : 402, page: renderPage('Checkout', content) };
}
