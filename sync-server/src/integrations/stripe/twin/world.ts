/** What every act of the twin works on: its state, its clock, and events about all that changes. */
import { randomBytes } from 'node:crypto';
import { Stripe } from 'stripe';
import { refuseMissing } from './refused.ts';
import { type EventObject, type Kind, KINDS, type Resources } from './state/resources.ts';
import type { State } from './state/state.ts';

export interface Settings {
  /** What becomes of a subscription whose last retry failed. */
  afterLastRetry: 'cancel' | 'mark_unpaid' | 'leave_past_due';
}

/** Who asked for what happens now; null where the clock or a page did. */
export interface Asking {
  requestId: string;
  idempotencyKey: string | null;
}

export class World {
  readonly state: State;
  readonly settings: Settings;
  /** Seconds, as in all of Stripe's objects. */
  readonly now: () => number;
  /** Of the pages that the twin hosts, known once it listens. */
  url = '';
  asking: Asking | null = null;
  readonly #onEvent: (event: EventObject) => void;

  constructor(options: { state: State; settings: Settings; now: () => number; onEvent: (event: EventObject) => void }) {
    this.state = options.state;
    this.settings = options.settings;
    this.now = options.now;
    this.#onEvent = options.onEvent;
  }

  all<K extends Kind>(kind: K): Resources[K][] {
    return Object.values(this.state.tables[kind]);
  }

  find<K extends Kind>(kind: K, id: string): Resources[K] | undefined {
    const table: Record<string, Resources[K]> = this.state.tables[kind];
    return Object.hasOwn(table, id) ? table[id] : undefined;
  }

  get<K extends Kind>(kind: K, id: string, missing: { param?: string; status?: number } = {}): Resources[K] {
    const found = this.find(kind, id);
    if (found === undefined) throw refuseMissing(KINDS[kind].noun, id, missing);
    return found;
  }

  /** What the address `/v1/.../id` names is missing with 404, what a parameter names with 400. */
  named<K extends Kind>(kind: K, id: string, param: string): Resources[K] {
    return this.get(kind, id, { param, status: 400 });
  }

  add<K extends Kind>(kind: K, object: Resources[K], event?: Stripe.Event.Type): Resources[K] {
    const table: Record<string, Resources[K]> = this.state.tables[kind];
    table[object.id] = object;
    if (event !== undefined) this.emit(event, object);
    return object;
  }

  /** Changes an object and tells so, with what its changed fields were before; says nothing where nothing changed. */
  change<K extends Kind>(
    kind: K,
    id: string,
    event: Stripe.Event.Type | null,
    change: (object: Resources[K]) => void,
  ): Resources[K] {
    const object = this.get(kind, id);
    const before = structuredClone(object);
    change(object);
    const previous = previousOf(before, object);
    if (event !== null && Object.keys(previous).length > 0)
      this.emit(event, object, event.endsWith('.updated') ? previous : undefined);
    return object;
  }

  emit(type: Stripe.Event.Type, object: object, previous?: object): void {
    const event: EventObject = {
      id: newId('evt_'),
      object: 'event',
      api_version: Stripe.API_VERSION,
      created: this.now(),
      data: { object: structuredClone(object), ...(previous === undefined ? {} : { previous_attributes: previous }) },
      livemode: false,
      pending_webhooks: 0,
      request: { id: this.asking?.requestId ?? null, idempotency_key: this.asking?.idempotencyKey ?? null },
      type,
    };
    this.state.tables.event[event.id] = event;
    this.#onEvent(event);
  }
}

const ID_BYTES = 18;

/** By chance, so that an id of an earlier, forgotten twin never names something else in this one. */
export const newId = (prefix: string): string =>
  prefix + randomBytes(ID_BYTES).toString('base64').replace(/[+/=]/g, '0').slice(0, 24);

function previousOf(before: object, after: object): Record<string, unknown> {
  const now: Record<string, unknown> = { ...after };
  const then: Record<string, unknown> = { ...before };
  const names = new Set([...Object.keys(then), ...Object.keys(now)]);
  const previous: Record<string, unknown> = {};
  for (const name of names) {
    const [was, is] = [then[name], now[name]];
    if (JSON.stringify(was) === JSON.stringify(is)) continue;
    previous[name] = isHash(was) && isHash(is) ? previousOf(was, is) : (was ?? null);
  }
  return previous;
}

/** Lists are told whole, as Stripe does. */
const isHash = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !('data' in value);
