/** Replaces ids by whole objects where a request asks for it by path. */
import { invalidRequest } from '../api-error.ts';
import { type Kind, KINDS } from '../state/resources.ts';
import type { StripeStore } from '../store.ts';
import { pageOf } from './list.ts';

const MAX_DEPTH = 4;

export function expand(store: StripeStore, answer: object, paths: readonly string[]): object {
  for (const path of paths) {
    const segments = path.split('.');
    if (segments.length > MAX_DEPTH) throw invalidRequest(`Cannot expand more than ${MAX_DEPTH} levels: ${path}`);
    expandInto(store, answer as Fields, { segments, path });
  }
  return answer;
}

type Fields = Record<string, unknown>;

function expandInto(
  store: StripeStore,
  target: Fields,
  { segments, path }: { segments: string[]; path: string },
): void {
  const [step = '', ...rest] = segments;
  const value = target[step] ?? onDemandList(store, target, step);
  if (value === undefined) throw invalidRequest(`This property cannot be expanded (${path}).`, { param: 'expand' });
  if (value === null) return;
  const expanded = typeof value === 'string' ? findObject(store, { id: value, path }) : value;
  target[step] = expanded;
  if (rest.length === 0) return;
  for (const inner of Array.isArray(expanded) ? expanded : [expanded])
    expandInto(store, inner as Fields, { segments: rest, path });
}

function findObject(store: StripeStore, { id, path }: { id: string; path: string }): Fields {
  if (Object.hasOwn(store.state.deletedCustomers, id)) return { id, object: 'customer', deleted: true };
  for (const kind of Object.keys(KINDS) as Kind[]) {
    const found = id.startsWith(KINDS[kind].prefix) ? store.find(kind, id) : undefined;
    if (found !== undefined) return structuredClone(found) as unknown as Fields;
  }
  throw invalidRequest(`This property cannot be expanded (${path}).`, { param: 'expand' });
}

/** Lists that an object contains only when they are expanded. */
function onDemandList(store: StripeStore, target: Fields, step: string): object | null | undefined {
  const id = String(target['id']);
  const address = `${String(target['object'])}.${step}`;
  if (address === 'checkout.session.line_items')
    return pageOf(store.state.checkoutPlansBySession[id]?.items ?? [], {}, `/v1/checkout/sessions/${id}/line_items`);
  if (address === 'invoice.payments')
    return pageOf(
      store.all('invoice_payment').filter(({ invoice }) => invoice === id),
      {},
      '/v1/invoice_payments',
    );
  if (address === 'customer.subscriptions')
    return pageOf(
      store.all('subscription').filter(({ customer, status }) => customer === id && status !== 'canceled'),
      {},
      `/v1/customers/${id}/subscriptions`,
    );
  // The field is null until its value is known, and every object of this kind has it.
  return Object.hasOwn(target, step) ? null : undefined;
}
