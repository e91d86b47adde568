/** Declares a route: its path, its parameters and its handler. */
import { decodeForm, type FormFields } from '../form.ts';
import type { ParamSchema } from '../params/param-schema.ts';
import { unsupportedByFake } from '../api-error.ts';
import type { StripeStore } from '../store.ts';
import { expand } from './expand.ts';

export interface Route {
  method: string;
  segments: readonly string[];
  answer: (store: StripeStore, ids: readonly string[], form: FormFields) => object;
}

export function route<P extends object>(
  address: string,
  shape: ParamSchema<P>,
  handle: (store: StripeStore, params: P, id: string, innerId: string) => object,
): Route {
  const [method = '', path = ''] = address.split(' ');
  return {
    method,
    segments: path.split('/'),
    answer: (store, ids, form) => {
      const params = shape.read(form, '');
      const answer = handle(store, params, ids[0] ?? '', ids[1] ?? '');
      const paths = 'expand' in params ? (params.expand as string[]) : [];
      return expand(store, structuredClone(answer), paths);
    },
  };
}

export function dispatchCall(
  routes: readonly Route[],
  store: StripeStore,
  { method, path, query, body }: { method: string; path: string; query: string; body: string },
): object {
  const segments = path.split('/');
  for (const candidate of routes) {
    const ids = candidate.method === method ? matchPath(candidate.segments, segments) : null;
    if (ids !== null) return candidate.answer(store, ids, { ...decodeForm(query), ...decodeForm(body) });
  }
  throw unsupportedByFake(`${method} ${path}`);
}

function matchPath(known: readonly string[], requested: readonly string[]): string[] | null {
  if (known.length !== requested.length) return null;
  const ids: string[] = [];
  for (const [index, step] of known.entries()) {
    const given = requested[index] ?? '';
    if (step === ':id') ids.push(decodeURIComponent(given));
    else if (step !== given) return null;
  }
  return ids;
}
