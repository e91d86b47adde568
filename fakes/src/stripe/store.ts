/** The fake's object store: its state, its clock, and an event for every change. */
import { randomBytes } from 'node:crypto';
import { Stripe } from 'stripe';
import { notFound } from './api-error.ts';
import { type EventObject, type Kind, KINDS, type Resources } from './state/resources.ts';
import type { State } from './state/state.ts';

export interface Settings {
  /** The status of a subscription after its last retry has failed. */
  afterLastRetry: 'cancel' | 'mark_unpaid' | 'leave_past_due';
}

/** The API request that causes the current changes; null when the clock or a page does. */
export interface RequestOrigin {
  requestId: string;
  idempotencyKey: string | null;
}

export class StripeStore {
  readonly state: State;
  readonly settings: Settings;
  /** Times are in seconds, as in all of Stripe's objects. */
  readonly currentFields: () => number;
  /** URL of the hosted pages, known once the fake listens. */
  url = '';
  requestOrigin: RequestOrigin | null = null;
  readonly #onEvent: (event: EventObject) => void;

  constructor(options: {
    state: State;
    settings: Settings;
    currentFields: () => number;
    onEvent: (event: EventObject) => void;
  }) {
    this.state = options.state;
    this.settings = options.settings;
    this.currentFields = options.currentFields;
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
    if (found === undefined) throw notFound(KINDS[kind].noun, id, missing);
    return found;
  }

  /** Stripe answers 404 for a missing id in the path and 400 for one in a parameter. */
  getByParam<K extends Kind>(kind: K, id: string, param: string): Resources[K] {
    return this.get(kind, id, { param, status: 400 });
  }

  add<K extends Kind>(kind: K, object: Resources[K], event?: Stripe.Event.Type): Resources[K] {
    const table: Record<string, Resources[K]> = this.state.tables[kind];
    table[object.id] = object;
    if (event !== undefined) this.emit(event, object);
    return object;
  }

  /** Changes an object and emits an event with the previous values of changed fields, or none when nothing changed. */
  update<K extends Kind>(
    kind: K,
    id: string,
    event: Stripe.Event.Type | null,
    update: (object: Resources[K]) => void,
  ): Resources[K] {
    const object = this.get(kind, id);
    const before = structuredClone(object);
    update(object);
    const previous = previousAttributes(before, object);
    if (event !== null && Object.keys(previous).length > 0)
      this.emit(event, object, event.endsWith('.updated') ? previous : undefined);
    return object;
  }

  emit(type: Stripe.Event.Type, object: object, previous?: object): void {
    const event: EventObject = {
      id: newId('evt_'),
      object: 'event',
      api_version: Stripe.API_VERSION,
      created: this.currentFields(),
      data: { object: structuredClone(object), ...(previous === undefined ? {} : { previous_attributes: previous }) },
      livemode: false,
      pending_webhooks: 0,
      request: {
        id: this.requestOrigin?.requestId ?? null,
        idempotency_key: this.requestOrigin?.idempotencyKey ?? null,
      },
      type,
    };
    this.state.tables.event[event.id] = event;
    this.#onEvent(event);
  }
}

const ID_BYTES = 18;

/** Random, so that an id of a deleted state never names another object. */
export const newId = (prefix: string): string =>
  prefix + randomBytes(ID_BYTES).toString('base64').replace(/[+/=]/g, '0').slice(0, 24);

function previousAttributes(before: object, after: object): Record<string, unknown> {
  const currentFields: Record<string, unknown> = { ...after };
  const previousFields: Record<string, unknown> = { ...before };
  const names = new Set([...Object.keys(previousFields), ...Object.keys(currentFields)]);
  const previous: Record<string, unknown> = {};
  for (const name of names) {
    const [previousValue, currentValue] = [previousFields[name], currentFields[name]];
    if (JSON.stringify(previousValue) === JSON.stringify(currentValue)) continue;
    previous[name] =
      isPlainHash(previousValue) && isPlainHash(currentValue)
        ? previousAttributes(previousValue, currentValue)
        : (previousValue ?? null);
  }
  return previous;
}

/** Stripe reports lists as a whole. */
const isPlainHash = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !('data' in value);
