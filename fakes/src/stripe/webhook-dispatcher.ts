/** Delivers events to webhook endpoints: at once and in order, or late, twice and out of order when a test says so. */
import { matchesEvent } from './api/webhooks.ts';
import { signatureHeader } from './signature.ts';
import type { EventObject } from './state/resources.ts';
import type { Delivery } from './state/state.ts';
import { newId, type StripeStore } from './store.ts';

export interface WebhookDelivery {
  readonly id: string;
  readonly eventId: string;
  readonly type: string;
  /** The endpoint's statuses; null when it did not answer. */
  readonly statuses: readonly (number | null)[];
}

export interface WebhookDeliveries {
  /** Stops sending until released. */
  hold: () => void;
  /** Held deliveries in the order of their events. */
  held: () => readonly WebhookDelivery[];
  /** Sends these deliveries in this order, or all held ones in theirs. Later ones stay held. */
  release: (ids?: readonly string[]) => Promise<void>;
  /** Releases all held deliveries and stops holding. */
  resume: () => Promise<void>;
  /** Delivers an event again, as Stripe may at any time. */
  redeliver: (eventId: string) => Promise<void>;
  /** All deliveries so far. */
  all: () => readonly WebhookDelivery[];
  /** Resolves when no delivery is running. */
  settled: () => Promise<void>;
}

/** Pauses after failures, which grow over three days. */
const RETRY_AFTER_S = [60, 300, 1_800, 7_200, 18_000, 36_000, 43_200, 43_200, 43_200, 43_200];
const TIMEOUT_MS = 10_000;
const MAX_DELIVERIES = 2_000;

export class WebhookDispatcher implements WebhookDeliveries {
  readonly #store: StripeStore;
  readonly #closing = new AbortController();
  #isHolding = false;
  #running: Promise<void> | null = null;

  constructor(store: StripeStore) {
    this.#store = store;
  }

  enqueue(event: EventObject): void {
    for (const endpoint of this.#store.all('webhook_endpoint')) {
      if (endpoint.status !== 'enabled') continue;
      if (!endpoint.enabled_events.some((pattern) => matchesEvent(pattern, event.type))) continue;
      event.pending_webhooks += 1;
      this.#add(event.id, endpoint.id, this.#isHolding);
    }
    if (this.#deliveries.length > MAX_DELIVERIES) this.#deliveries.splice(0, this.#deliveries.length - MAX_DELIVERIES);
    this.sendDue();
  }

  get #deliveries(): Delivery[] {
    return this.#store.state.deliveries;
  }

  #add(eventId: string, endpointId: string, isHeld: boolean): Delivery {
    const delivery: Delivery = {
      id: newId('wd_'),
      eventId,
      endpointId,
      attempts: [],
      nextAttemptAtS: this.#store.currentFields(),
      isHeld,
    };
    this.#deliveries.push(delivery);
    return delivery;
  }

  hold = (): void => {
    this.#isHolding = true;
  };

  held = (): WebhookDelivery[] =>
    this.#deliveries.filter(({ isHeld }) => isHeld).map((heldDelivery) => this.#toWebhookDelivery(heldDelivery));

  release = async (ids?: readonly string[]): Promise<void> => {
    await this.settled();
    for (const id of ids ?? this.held().map((waiting) => waiting.id)) {
      const delivery = this.#deliveries.find((known) => known.id === id && known.isHeld);
      if (delivery === undefined) throw new Error(`${id} is not held`);
      delivery.isHeld = false;
      await this.#attempt(delivery);
    }
  };

  resume = async (): Promise<void> => {
    // A delivery may make the endpoint change something, which creates further events.
    while (this.held().length > 0) await this.release();
    this.#isHolding = false;
  };

  redeliver = async (eventId: string): Promise<void> => {
    await this.settled();
    const earlier = this.#deliveries.filter((known) => known.eventId === eventId);
    const endpoints = new Set(earlier.map(({ endpointId }) => endpointId));
    for (const endpointId of endpoints) await this.#attempt(this.#add(eventId, endpointId, false));
  };

  all = (): WebhookDelivery[] => this.#deliveries.map((delivery) => this.#toWebhookDelivery(delivery));

  settled = async (): Promise<void> => {
    while (this.#running !== null) await this.#running;
  };

  /** The next retry, for the clock. */
  nextAttemptAtS(): number | null {
    const attemptTimes = this.#deliveries.flatMap(({ isHeld, nextAttemptAtS: at }) =>
      isHeld || at === null ? [] : [at],
    );
    return attemptTimes.length === 0 ? null : Math.min(...attemptTimes);
  }

  /** Deliveries run one after the other, so that tests see a defined order. */
  sendDue(): void {
    if (this.#running !== null || this.#closing.signal.aborted) return;
    this.#running = this.#sendAllDue().finally(() => {
      this.#running = null;
      if (this.#nextDueDelivery() !== undefined) this.sendDue();
    });
  }

  async #sendAllDue(): Promise<void> {
    // The deliveries start after the response to the request that caused them, which must not wait.
    await new Promise(setImmediate);
    for (let due = this.#nextDueDelivery(); due !== undefined; due = this.#nextDueDelivery()) await this.#attempt(due);
  }

  #nextDueDelivery(): Delivery | undefined {
    if (this.#closing.signal.aborted) return undefined;
    const now = this.#store.currentFields();
    return this.#deliveries.find(({ isHeld, nextAttemptAtS: at }) => !isHeld && at !== null && at <= now);
  }

  async #attempt(delivery: Delivery): Promise<void> {
    const event = this.#store.find('event', delivery.eventId);
    const endpoint = this.#store.find('webhook_endpoint', delivery.endpointId);
    const secret = this.#store.state.webhookSecrets[delivery.endpointId];
    if (event === undefined || endpoint === undefined || secret === undefined) {
      delivery.nextAttemptAtS = null;
      return;
    }
    const atS = this.#store.currentFields();
    const body = JSON.stringify(event, null, 2);
    const status = await post(endpoint.url, {
      body,
      signature: signatureHeader(body, { secret, atS }),
      signal: AbortSignal.any([this.#closing.signal, AbortSignal.timeout(TIMEOUT_MS)]),
    });
    const isAccepted = status !== null && status >= 200 && status < 300;
    const retryAfterS = RETRY_AFTER_S[delivery.attempts.length];
    delivery.attempts.push({ atS, status });
    delivery.nextAttemptAtS = isAccepted || retryAfterS === undefined ? null : atS + retryAfterS;
    if (isAccepted && event.pending_webhooks > 0) event.pending_webhooks -= 1;
  }

  #toWebhookDelivery({ id, eventId, attempts }: Delivery): WebhookDelivery {
    const type = this.#store.find('event', eventId)?.type ?? 'forgotten';
    return { id, eventId, type, statuses: attempts.map(({ status }) => status) };
  }

  async close(): Promise<void> {
    this.#closing.abort();
    await this.settled();
  }
}

/** Returns null when there is no answer. Like Stripe, it does not follow redirects and counts them as failures. */
async function post(
  url: string,
  { body, signature, signal }: { body: string; signature: string; signal: AbortSignal },
): Promise<number | null> {
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json; charset=utf-8',
        'stripe-signature': signature,
        'user-agent': 'Stripe/1.0 (fake)',
      },
      body,
      redirect: 'manual',
      signal,
    });
    await response.body?.cancel();
    return response.status;
  } catch {
    return null;
  }
}
