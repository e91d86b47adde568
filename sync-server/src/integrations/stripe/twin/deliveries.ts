/** Hands events over to webhook endpoints: at once and in order, or late, twice and out of order when it is told to. */
import { matchesEvent } from './api/webhooks.ts';
import { signatureHeader } from './signature.ts';
import type { EventObject } from './state/resources.ts';
import type { Delivery } from './state/state.ts';
import { newId, type World } from './world.ts';

export interface TwinDelivery {
  readonly id: string;
  readonly eventId: string;
  readonly type: string;
  /** Statuses that the endpoint answered, null where it did not. */
  readonly statuses: readonly (number | null)[];
}

export interface TwinDeliveries {
  /** From now on nothing is sent. */
  hold: () => void;
  /** What waits, in the order of the events. */
  held: () => readonly TwinDelivery[];
  /** Sends these, in this order; without, all that wait, in theirs. What comes later waits on. */
  release: (ids?: readonly string[]) => Promise<void>;
  /** Releases all that waits, and holds no longer. */
  resume: () => Promise<void>;
  /** Hands an event over once more, as Stripe may at any time. */
  sendAgain: (eventId: string) => Promise<void>;
  /** All that was ever to be sent. */
  all: () => readonly TwinDelivery[];
  /** Once nothing is on the way. */
  settled: () => Promise<void>;
}

/** After a failure, with longer and longer pauses over three days. */
const RETRY_AFTER_S = [60, 300, 1_800, 7_200, 18_000, 36_000, 43_200, 43_200, 43_200, 43_200];
const TIMEOUT_MS = 10_000;
const KEPT = 2_000;

export class DeliveryDesk implements TwinDeliveries {
  readonly #world: World;
  readonly #closing = new AbortController();
  #isHolding = false;
  #running: Promise<void> | null = null;

  constructor(world: World) {
    this.#world = world;
  }

  take(event: EventObject): void {
    for (const endpoint of this.#world.all('webhook_endpoint')) {
      if (endpoint.status !== 'enabled') continue;
      if (!endpoint.enabled_events.some((pattern) => matchesEvent(pattern, event.type))) continue;
      event.pending_webhooks += 1;
      this.#add(event.id, endpoint.id, this.#isHolding);
    }
    if (this.#deliveries.length > KEPT) this.#deliveries.splice(0, this.#deliveries.length - KEPT);
    this.sendDue();
  }

  get #deliveries(): Delivery[] {
    return this.#world.state.deliveries;
  }

  #add(eventId: string, endpointId: string, isHeld: boolean): Delivery {
    const delivery: Delivery = {
      id: newId('wd_'),
      eventId,
      endpointId,
      attempts: [],
      nextAttemptAtS: this.#world.now(),
      isHeld,
    };
    this.#deliveries.push(delivery);
    return delivery;
  }

  hold = (): void => {
    this.#isHolding = true;
  };

  held = (): TwinDelivery[] => this.#deliveries.filter(({ isHeld }) => isHeld).map((kept) => this.#shown(kept));

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
    // What is sent may make the endpoint change something, of which more is to be told.
    while (this.held().length > 0) await this.release();
    this.#isHolding = false;
  };

  sendAgain = async (eventId: string): Promise<void> => {
    await this.settled();
    const earlier = this.#deliveries.filter((known) => known.eventId === eventId);
    const endpoints = new Set(earlier.map(({ endpointId }) => endpointId));
    for (const endpointId of endpoints) await this.#attempt(this.#add(eventId, endpointId, false));
  };

  all = (): TwinDelivery[] => this.#deliveries.map((delivery) => this.#shown(delivery));

  settled = async (): Promise<void> => {
    while (this.#running !== null) await this.#running;
  };

  /** The next that is to be tried again, for the clock. */
  nextAttemptAtS(): number | null {
    const moments = this.#deliveries.flatMap(({ isHeld, nextAttemptAtS: at }) => (isHeld || at === null ? [] : [at]));
    return moments.length === 0 ? null : Math.min(...moments);
  }

  /** One after the other, since an order is easier to reason about than none. */
  sendDue(): void {
    if (this.#running !== null || this.#closing.signal.aborted) return;
    this.#running = this.#sendAllDue().finally(() => {
      this.#running = null;
      if (this.#nextDue() !== undefined) this.sendDue();
    });
  }

  async #sendAllDue(): Promise<void> {
    // After the answer to the call that it is about, which nobody should have to wait for.
    await new Promise(setImmediate);
    for (let due = this.#nextDue(); due !== undefined; due = this.#nextDue()) await this.#attempt(due);
  }

  #nextDue(): Delivery | undefined {
    if (this.#closing.signal.aborted) return undefined;
    const now = this.#world.now();
    return this.#deliveries.find(({ isHeld, nextAttemptAtS: at }) => !isHeld && at !== null && at <= now);
  }

  async #attempt(delivery: Delivery): Promise<void> {
    const event = this.#world.find('event', delivery.eventId);
    const endpoint = this.#world.find('webhook_endpoint', delivery.endpointId);
    const secret = this.#world.state.webhookSecrets[delivery.endpointId];
    if (event === undefined || endpoint === undefined || secret === undefined) {
      delivery.nextAttemptAtS = null;
      return;
    }
    const atS = this.#world.now();
    const body = JSON.stringify(event, null, 2);
    const status = await post(endpoint.url, {
      body,
      signature: signatureHeader(body, { secret, atS }),
      signal: AbortSignal.any([this.#closing.signal, AbortSignal.timeout(TIMEOUT_MS)]),
    });
    const isTaken = status !== null && status >= 200 && status < 300;
    const wait = RETRY_AFTER_S[delivery.attempts.length];
    delivery.attempts.push({ atS, status });
    delivery.nextAttemptAtS = isTaken || wait === undefined ? null : atS + wait;
    if (isTaken && event.pending_webhooks > 0) event.pending_webhooks -= 1;
  }

  #shown({ id, eventId, attempts }: Delivery): TwinDelivery {
    const type = this.#world.find('event', eventId)?.type ?? 'forgotten';
    return { id, eventId, type, statuses: attempts.map(({ status }) => status) };
  }

  async close(): Promise<void> {
    this.#closing.abort();
    await this.settled();
  }
}

/** Null where nobody answered. A redirection is not followed and counts as a failure, as with Stripe. */
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
        'user-agent': 'Stripe/1.0 (twin)',
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
