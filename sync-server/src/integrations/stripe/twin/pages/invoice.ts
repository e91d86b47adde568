/** The page of one invoice. */
import { sayMoney } from '../billing/money.ts';
import { attemptPayment } from '../billing/pay.ts';
import type { PageAnswer, PageCall } from './answer.ts';
import { html, page, sayDate } from './html.ts';

export function invoicePage({ world, id, form }: PageCall): PageAnswer {
  const invoice = world.find('invoice', id);
  if (invoice === undefined || invoice.status === 'draft')
    return { status: 404, page: page('Invoice', html`<p>There is no such invoice.</p>`) };
  let problem: string | null = null;
  if (form !== null && invoice.status === 'open') {
    if (attemptPayment(world, id).isPaid) return { redirect: `/invoices/${id}` };
    problem = 'The payment failed: there is no card, or it was declined.';
  }
  const { lines, currency, number, total, amount_due: due, status, effective_at: at } = invoice;
  const content = html` <p class="soft">Number ${number ?? id}, ${at === null ? '' : sayDate(at)}</p>
    ${problem === null ? null : html`<p class="alert" role="alert">${problem}</p>`}
    <ul>
      ${lines.data.map(({ description, amount }) => html`<li>${description ?? ''}: ${sayMoney(amount, currency)}</li>`)}
    </ul>
    <p class="price">Total <strong>${sayMoney(total, currency)}</strong></p>
    <p>Due: ${sayMoney(due, currency)}. Status: ${status ?? ''}.</p>
    ${status === 'open' ? html`<form method="post" class="acts"><button class="main">Pay</button></form>` : null}`;
  return { status: problem === null ? 200 : 402, page: page('Invoice', content) };
}
