/** The billing portal, where a customer manages subscriptions. */
import { isEnded } from '../billing/end-subscription.ts';
import { formatMoney, formatInterval } from '../billing/format-money.ts';
import { onlyItem } from '../objects/subscription.ts';
import { ApiError } from '../api-error.ts';
import type { InvoiceObject, PriceObject, SubscriptionObject } from '../state/resources.ts';
import type { StripeStore } from '../store.ts';
import type { PageResponse, PageRequest } from './page-response.ts';
import { html, type Html, renderPage, formatDate } from './html.ts';
import { applyPortalAction, type PortalAction, PORTAL_ACTIONS } from './portal-actions.ts';

export function portalPage({ store, id, form }: PageRequest): PageResponse {
  const session = store.find('billing_portal.session', id);
  const customer = session === undefined ? undefined : store.find('customer', session.customer);
  if (session === undefined || customer === undefined)
    return { status: 404, page: renderPage('Your plan', html`<p>There is no such page.</p>`) };
  let problem: string | null = null;
  if (form !== null) {
    const action = PORTAL_ACTIONS.find((known) => known === form.get('act'));
    try {
      if (action !== undefined) applyPortalAction(store, customer.id, { action, form });
      return { redirect: `/portal/${id}` };
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      problem = error.body.message;
    }
  }
  const subscriptions = store
    .all('subscription')
    .filter((subscription) => subscription.customer === customer.id && !isEnded(subscription));
  const invoices = store.all('invoice').filter((invoice) => invoice.customer === customer.id);
  const card = store.all('payment_method').findLast((method) => method.customer === customer.id);
  const content = html` <p class="soft">${customer.email ?? customer.id}</p>
    ${problem === null ? null : html`<p class="alert" role="alert">${problem}</p>`}
    ${subscriptions.length === 0 ? html`<p>There is no current subscription.</p>` : null}
    ${subscriptions.map((subscription) => subscriptionSection(store, subscription))}
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
            ${invoices.toReversed().map(invoiceListItem)}
          </ul>`
    }
    ${session.return_url === null ? null : html`<p><a href="${session.return_url}">Back</a></p>`}`;
  return { status: problem === null ? 200 : 402, page: renderPage('Your plan', content) };
}

const button = (action: PortalAction, label: string): Html =>
  html`<button name="act" value="${action}">${label}</button>`;

function subscriptionSection(store: StripeStore, subscription: SubscriptionObject): Html {
  const { price, current_period_end: periodEnd } = onlyItem(subscription);
  const { id, cancel_at: cancelAt, status } = subscription;
  const others = store
    .all('price')
    .filter(
      (other) => other.active && other.recurring !== null && other.currency === price.currency && other.id !== price.id,
    );
  return html`<section aria-label="${productName(store, price)}">
    <p class="price">
      ${productName(store, price)}<br /><strong>${formatMoney(price.unit_amount ?? 0, price.currency)}</strong>
      ${formatInterval(price)}
    </p>
    <p>
      ${cancelAt === null ? `Status: ${status}. Next date: ${formatDate(periodEnd)}.` : `Ends on ${formatDate(cancelAt)}.`}
      ${subscription.schedule === null ? null : html`Another plan begins on ${formatDate(periodEnd)}.`}
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
                      ${productName(store, other)}, ${formatMoney(other.unit_amount ?? 0, other.currency)}
                      ${formatInterval(other)}
                    </option>`,
                )}
              </select>
              <div class="acts">${button('switch', 'Switch plan')}</div>`
      }
    </form>
  </section>`;
}

const productName = (store: StripeStore, price: PriceObject): string =>
  store.find('product', price.product)?.name ?? price.id;

const invoiceListItem = ({ id, created, total, currency, status, hosted_invoice_url: url }: InvoiceObject): Html => {
  const text = `${formatDate(created)}: ${formatMoney(total, currency)}, ${status ?? 'draft'}`;
  return html`<li>${typeof url === 'string' ? html`<a href="/invoices/${id}">${text}</a>` : text}</li>`;
};
