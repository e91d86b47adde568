/** Puts whole objects in the place of their ids, where a call asks for it by path. */
import { refuse } from '../refused.ts';
import { type Kind, KINDS } from '../state/resources.ts';
import type { World } from '../world.ts';
import { pageOf } from './list.ts';

const MAX_DEPTH = 4;

export function expand(world: World, answer: object, paths: readonly string[]): object {
  for (const path of paths) {
    const steps = path.split('.');
    if (steps.length > MAX_DEPTH) throw refuse(`Cannot expand more than ${MAX_DEPTH} levels: ${path}`);
    expandInto(world, answer as Fields, { steps, path });
  }
  return answer;
}

type Fields = Record<string, unknown>;

function expandInto(world: World, target: Fields, { steps, path }: { steps: string[]; path: string }): void {
  const [step = '', ...rest] = steps;
  const value = target[step] ?? shownOnDemand(world, target, step);
  if (value === undefined) throw refuse(`This property cannot be expanded (${path}).`, { param: 'expand' });
  if (value === null) return;
  const expanded = typeof value === 'string' ? objectOf(world, { id: value, path }) : value;
  target[step] = expanded;
  if (rest.length === 0) return;
  for (const inner of Array.isArray(expanded) ? expanded : [expanded])
    expandInto(world, inner as Fields, { steps: rest, path });
}

function objectOf(world: World, { id, path }: { id: string; path: string }): Fields {
  if (Object.hasOwn(world.state.deletedCustomers, id)) return { id, object: 'customer', deleted: true };
  for (const kind of Object.keys(KINDS) as Kind[]) {
    const found = id.startsWith(KINDS[kind].prefix) ? world.find(kind, id) : undefined;
    if (found !== undefined) return structuredClone(found) as unknown as Fields;
  }
  throw refuse(`This property cannot be expanded (${path}).`, { param: 'expand' });
}

/** Lists that an object carries only when they are asked for. */
function shownOnDemand(world: World, target: Fields, step: string): object | null | undefined {
  const id = String(target['id']);
  const address = `${String(target['object'])}.${step}`;
  if (address === 'checkout.session.line_items')
    return pageOf(world.state.checkoutPlansBySession[id]?.items ?? [], {}, `/v1/checkout/sessions/${id}/line_items`);
  if (address === 'invoice.payments')
    return pageOf(
      world.all('invoice_payment').filter(({ invoice }) => invoice === id),
      {},
      '/v1/invoice_payments',
    );
  if (address === 'customer.subscriptions')
    return pageOf(
      world.all('subscription').filter(({ customer, status }) => customer === id && status !== 'canceled'),
      {},
      `/v1/customers/${id}/subscriptions`,
    );
  // Null until it is known, and absent from no object of its kind.
  return Object.hasOwn(target, step) ? null : undefined;
}
