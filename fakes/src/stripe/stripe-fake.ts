/**
 * A local server that implements the parts of Stripe that selling subscriptions needs, for tests and for development
 * without a key.
 */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { addEndpoint } from './api/webhooks.ts';
import { FakeClock } from './clock.ts';
import { WebhookDispatcher, type WebhookDeliveries } from './webhook-dispatcher.ts';
import { createListener } from './http-listener.ts';
import { createTimeline } from './timeline.ts';
import { StepQueue, type RecordedCall, type ScriptStep } from './script.ts';
import { deleteExpired, loadState, rewriteUrls, saveState } from './state/persistence.ts';
import { emptyState, type State } from './state/state.ts';
import { newId, type Settings, StripeStore } from './store.ts';

const HOST = '127.0.0.1';
const DEFAULT_KEY = 'sk_test_fake';
/** How often a running clock checks for due actions. */
const TICK_MS = 1_000;

export interface StripeFakeOptions {
  /** Defaults to any free port. */
  port?: number;
  key?: string;
  /** Target of the events and the secret that signs them. */
  webhook?: { url: string; secret?: string; events?: string[] };
  /** Fixes the clock at this moment until a test advances it; by default the clock runs with the machine's. */
  startsAt?: Date;
  /** The status of a subscription that is unpaid after three weeks. */
  afterLastRetry?: Settings['afterLastRetry'];
  /** Folder that keeps the state over restarts; by default the state is in memory only. */
  stateDir?: string;
  /** Defaults to the process's `NODE_ENV`. */
  environment?: string | undefined;
}

export interface StripeFake {
  /** `http://127.0.0.1:port` of the API and the hosted pages. */
  url: string;
  host: string;
  port: number;
  key: string;
  /** Secret of the endpoint in the options. */
  webhookSecret: string;
  /** Received requests, oldest first. */
  calls: readonly RecordedCall[];
  /** Queues failures for the next API requests, one step each. */
  play: (...steps: ScriptStep[]) => void;
  deliveries: WebhookDeliveries;
  now: () => Date;
  /** Advances the clock: due actions run in order, and their events are delivered. */
  advance: (ms: number) => Promise<void>;
  advanceTo: (moment: Date) => Promise<void>;
  /** Sets the behaviour of all of the customer's cards. */
  setCards: (customerId: string, behavior: 'work' | 'decline') => void;
  /** Stored objects by kind and id, for assertions. */
  tables: State['tables'];
  close: () => Promise<void>;
}

export async function startStripeFake(options: StripeFakeOptions = {}): Promise<StripeFake> {
  assertNotProduction(options.environment ?? process.env['NODE_ENV']);
  const { stateDir, key = DEFAULT_KEY, startsAt } = options;
  const state = stateDir === undefined ? emptyState() : loadState(stateDir);
  const clock = new FakeClock(state, startsAt);
  const store = new StripeStore({
    state,
    settings: { afterLastRetry: options.afterLastRetry ?? 'cancel' },
    currentFields: clock.now,
    onEvent: (event) => dispatcher.enqueue(event),
  });
  const dispatcher = new WebhookDispatcher(store);
  const persist = (): void => {
    deleteExpired(state, store.currentFields());
    if (stateDir !== undefined) saveState(stateDir, state);
  };
  const steps = new StepQueue();
  const calls: RecordedCall[] = [];
  const timeline = createTimeline({ store, clock, dispatcher, persist });
  const server = createServer(createListener({ store, key, steps, calls, onChanged: persist }));
  server.listen(options.port ?? 0, HOST);
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  store.url = `http://${HOST}:${port}`;
  if (state.url !== '') rewriteUrls(state, store.url);
  state.url = store.url;
  const webhookSecret = ensureEndpoint(store, options.webhook);
  const tickTimer = startsAt === undefined ? setInterval(timeline.tick, TICK_MS).unref() : null;
  return {
    url: store.url,
    host: HOST,
    port,
    key,
    webhookSecret,
    calls,
    play: (...more) => steps.add(more),
    deliveries: dispatcher,
    now: () => new Date(clock.nowMs()),
    advance: (ms) => timeline.advanceTo(clock.nowMs() + ms),
    advanceTo: (moment) => timeline.advanceTo(moment.getTime()),
    setCards: (customerId, behavior) => {
      for (const card of store.all('payment_method').filter(({ customer }) => customer === customerId))
        if (behavior === 'decline') state.decliningCards[card.id] = true;
        else delete state.decliningCards[card.id];
      persist();
    },
    tables: state.tables,
    close: async () => {
      if (tickTimer !== null) clearInterval(tickTimer);
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await Promise.all([closed, dispatcher.close()]);
      persist();
    },
  };
}

/** The fake takes no money, so it must not run in production. */
function assertNotProduction(environment: string | undefined): void {
  if (environment === 'production')
    throw new Error('The Stripe fake takes no real money and does not run in production: set STRIPE_SECRET_KEY.');
}

/** A stored endpoint keeps its secret unless another one is given. */
function ensureEndpoint(store: StripeStore, webhook: StripeFakeOptions['webhook']): string {
  if (webhook === undefined) return newId('whsec_');
  const secrets = store.state.webhookSecrets;
  const existing = store.all('webhook_endpoint').find(({ url }) => url === webhook.url);
  const secret = webhook.secret ?? (existing === undefined ? undefined : secrets[existing.id]) ?? newId('whsec_');
  if (existing === undefined) addEndpoint(store, { url: webhook.url, enabled_events: endpointEvents(webhook) }, secret);
  else secrets[existing.id] = secret;
  return secret;
}

type EventNames = Parameters<typeof addEndpoint>[1]['enabled_events'];
const endpointEvents = ({ events = ['*'] }: { events?: string[] }): EventNames => events as EventNames;
