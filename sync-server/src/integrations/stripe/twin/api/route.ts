/** One of Stripe's addresses: what it takes, and what it does. */
import { decodeForm, type FormFields } from '../form.ts';
import type { Shape } from '../params/shape.ts';
import { refuseUnmodelled } from '../refused.ts';
import type { World } from '../world.ts';
import { expand } from './expand.ts';

export interface Route {
  method: string;
  steps: readonly string[];
  answer: (world: World, ids: readonly string[], form: FormFields) => object;
}

/** `route('GET /v1/customers/:id', onlyExpand, (world, params, id) => world.get('customer', id))` */
export function route<P extends object>(
  address: string,
  shape: Shape<P>,
  act: (world: World, params: P, id: string, innerId: string) => object,
): Route {
  const [method = '', path = ''] = address.split(' ');
  return {
    method,
    steps: path.split('/'),
    answer: (world, ids, form) => {
      const params = shape.read(form, '');
      const answer = act(world, params, ids[0] ?? '', ids[1] ?? '');
      const paths = 'expand' in params ? (params.expand as string[]) : [];
      return expand(world, structuredClone(answer), paths);
    },
  };
}

export function answerCall(
  routes: readonly Route[],
  world: World,
  { method, path, query, body }: { method: string; path: string; query: string; body: string },
): object {
  const steps = path.split('/');
  for (const candidate of routes) {
    const ids = candidate.method === method ? matchSteps(candidate.steps, steps) : null;
    if (ids !== null) return candidate.answer(world, ids, { ...decodeForm(query), ...decodeForm(body) });
  }
  throw refuseUnmodelled(`${method} ${path}`);
}

function matchSteps(known: readonly string[], asked: readonly string[]): string[] | null {
  if (known.length !== asked.length) return null;
  const ids: string[] = [];
  for (const [index, step] of known.entries()) {
    const given = asked[index] ?? '';
    if (step === ':id') ids.push(decodeURIComponent(given));
    else if (step !== given) return null;
  }
  return ids;
}
