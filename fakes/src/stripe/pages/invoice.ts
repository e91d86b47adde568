/** The page of one invoice. */
import { formatMoney } from '../billing/format-money.ts';
import { attemptPayment } from '../billing/attempt-payment.ts';
import type { PageResponse, PageRequest } from './page-response.ts';
import { html, renderPage, formatDate } from './html.ts';

export function invoicePage({ store, id, form }: PageRequest): PageResponse {
  const invoice = store.find('invoice', id);
  if (invoice === undefined || invoice.status === 'draft')
    return { status: 404, page: renderPage('Invoice', html`<p>There is no such invoice.</p>`) };
  let problem: string | null = null;
  if (form !== null && invoice.status === 'open') {
    if (attemptPayment(store, id).isPaid) return { redirect: `/invoices/${id}` };
    problem = 'The payment failed: there is no card, or it was declined.';
  }
  const { lines, currency, number, total, amount_due: due, status, effective_at: at } = invoice;
  const content = html` <p class="soft">Number ${number ?? id}, ${at === null ? '' : formatDate(at)}</p>
    ${problem === null ? null : html`<p class="alert" role="alert">${problem}</p>`}
    <ul>
      ${lines.data.map(({ description, amount }) => html`<li>${description ?? ''}: ${formatMoney(amount, currency)}</li>`)}
    </ul>
    <p class="price">Total <strong>${formatMoney(total, currency)}</strong></p>
    <p>Due: ${formatMoney(due, currency)}. Status: ${status ?? ''}.</p>
    ${status === 'open' ? html`<form method="post" class="acts"><button class="main">Pay</button></form>` : null}`;
  return { status: problem === null ? 200 : 402, page: renderPage('Invoice', content) };
}
