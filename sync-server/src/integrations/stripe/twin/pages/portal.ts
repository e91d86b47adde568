/** The page on which a customer manages what was bought. */
import { isEnded } from '../billing/end.ts';
import { sayMoney, sayRhythm } from '../billing/money.ts';
import { onlyItem } from '../objects/subscription.ts';
import { Refused } from '../refused.ts';
import type { InvoiceObject, PriceObject, SubscriptionObject } from '../state/resources.ts';
import type { World } from '../world.ts';
import type { PageAnswer, PageCall } from './answer.ts';
import { html, type Html, page, sayDate } from './html.ts';
import { actInPortal, type PortalAct, portalActs } from './portal-acts.ts';

export function portalPage({ world, id, form }: PageCall): PageAnswer {
  const session = world.find('billing_portal.session', id);
  const customer = session === undefined ? undefined : world.find('customer', session.customer);
  if (session === undefined || customer === undefined)
    return { status: 404, page: page('Your plan', html`<p>There is no such page.</p>`) };
  let problem: string | null = null;
  if (form !== null) {
    const act = portalActs.find((known) => known === form.get('act'));
    try {
      if (act !== undefined) actInPortal(world, customer.id, { act, form });
      return { redirect: `/portal/${id}` };
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      problem = error.body.message;
    }
  }
  const subscriptions = world
    .all('subscription')
    .filter((subscription) => subscription.customer === customer.id && !isEnded(subscription));
  const invoices = world.all('invoice').filter((invoice) => invoice.customer === customer.id);
  const card = world.all('payment_method').findLast((method) => method.customer === customer.id);
  const content = html` <p class="soft">${customer.email ?? customer.id}</p>
    ${problem === null ? null : html`<p class="alert" role="alert">${problem}</p>`}
    ${subscriptions.length === 0 ? html`<p>There is no current subscription.</p>` : null}
    ${subscriptions.map((subscription) => planPart(world, subscription))}
    <h2>Card</h2>
    <p>${card === undefined ? 'There is no card.' : `Test card ending in ${card.card?.last4 ?? ''}`}</p>
    <form method="post" class="acts">
      ${button('add_card', 'Use a test card')} ${button('add_declining_card', 'Use a card that will be declined')}
    </form>
    <h2>Invoices</h2>
    ${
      invoices.length === 0
        ? html`<p>There are none yet.</p>`
        : html`<ul>
            ${invoices.toReversed().map(invoicePart)}
          </ul>`
    }
    ${session.return_url === null ? null : html`<p><a href="${session.return_url}">Back</a></p>`}`;
  return { status: problem === null ? 200 : 402, page: page('Your plan', content) };
}

const button = (act: PortalAct, label: string): Html => html`<button name="act" value="${act}">${label}</button>`;

function planPart(world: World, subscription: SubscriptionObject): Html {
  const { price, current_period_end: periodEnd } = onlyItem(subscription);
  const { id, cancel_at: cancelAt, status } = subscription;
  const others = world
    .all('price')
    .filter(
      (other) => other.active && other.recurring !== null && other.currency === price.currency && other.id !== price.id,
    );
  return html`<section aria-label="${nameOf(world, price)}">
    <p class="price">
      ${nameOf(world, price)}<br /><strong>${sayMoney(price.unit_amount ?? 0, price.currency)}</strong>
      ${sayRhythm(price)}
    </p>
    <p>
      ${cancelAt === null ? `Status: ${status}. Next date: ${sayDate(periodEnd)}.` : `Ends on ${sayDate(cancelAt)}.`}
      ${subscription.schedule === null ? null : html`Another plan begins on ${sayDate(periodEnd)}.`}
    </p>
    <form method="post">
      <input type="hidden" name="subscription" value="${id}" />
      <div class="acts">
        ${status === 'paused' ? button('resume', 'Resume') : null}
        ${cancelAt === null ? button('cancel', 'Cancel at the end of the period') : button('keep', 'Do not cancel')}
      </div>
      ${
        others.length === 0
          ? null
          : html`<label for="price-${id}">Other plans</label>
              <select id="price-${id}" name="price">
                ${others.map(
                  (other) =>
                    html`<option value="${other.id}">
                      ${nameOf(world, other)}, ${sayMoney(other.unit_amount ?? 0, other.currency)} ${sayRhythm(other)}
                    </option>`,
                )}
              </select>
              <div class="acts">${button('switch', 'Switch plan')}</div>`
      }
    </form>
  </section>`;
}

const nameOf = (world: World, price: PriceObject): string => world.find('product', price.product)?.name ?? price.id;

const invoicePart = ({ id, created, total, currency, status, hosted_invoice_url: url }: InvoiceObject): Html => {
  const text = `${sayDate(created)}: ${sayMoney(total, currency)}, ${status ?? 'draft'}`;
  return html`<li>${typeof url === 'string' ? html`<a href="/invoices/${id}">${text}</a>` : text}</li>`;
};
