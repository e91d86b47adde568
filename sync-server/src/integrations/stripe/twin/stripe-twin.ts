/** Stripe on this machine, as far as selling subscriptions needs it: for tests, and for development without a key. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { addEndpoint } from './api/webhooks.ts';
import { TwinClock } from './clock.ts';
import { DeliveryDesk, type TwinDeliveries } from './deliveries.ts';
import { createListener } from './listen.ts';
import { createPassing } from './passing.ts';
import { StepQueue, type TwinCall, type TwinStep } from './script.ts';
import { forgetOld, loadState, moveUrls, saveState } from './state/keep.ts';
import { emptyState, type State } from './state/state.ts';
import { newId, type Settings, World } from './world.ts';

const HOST = '127.0.0.1';
const DEFAULT_KEY = 'sk_test_twin';
/** How often a running clock looks whether something is due. */
const TICK_MS = 1_000;

export interface StripeTwinOptions {
  /** Any free one unless told. */
  port?: number;
  key?: string;
  /** Where events go, and the secret that they are signed with. */
  webhook?: { url: string; secret?: string; events?: string[] };
  /** The clock stands still there until it is moved; without, it runs with the machine's. */
  startsAt?: Date;
  /** What becomes of a subscription that is not paid after three weeks. */
  afterLastRetry?: Settings['afterLastRetry'];
  /** Where the state is kept over restarts; in memory only, without. */
  dir?: string;
  /** The process's own `NODE_ENV` unless told. */
  environment?: string | undefined;
}

export interface StripeTwin {
  /** `http://127.0.0.1:port`, of the API and of the pages. */
  url: string;
  host: string;
  port: number;
  key: string;
  /** Of the endpoint that the options name. */
  webhookSecret: string;
  /** What was asked, oldest first. */
  calls: readonly TwinCall[];
  /** How the next calls of the API go wrong, one step each. */
  play: (...steps: TwinStep[]) => void;
  deliveries: TwinDeliveries;
  now: () => Date;
  /** Lets time pass: all that falls due on the way happens in its order, and its events are sent. */
  advance: (ms: number) => Promise<void>;
  advanceTo: (moment: Date) => Promise<void>;
  /** From now on, all the cards of the customer. */
  setCards: (customerId: string, behavior: 'work' | 'decline') => void;
  /** As it goes over the line, by kind and id. For looking at. */
  tables: State['tables'];
  close: () => Promise<void>;
}

export async function startStripeTwin(options: StripeTwinOptions = {}): Promise<StripeTwin> {
  refuseProduction(options.environment ?? process.env['NODE_ENV']);
  const { dir, key = DEFAULT_KEY, startsAt } = options;
  const state = dir === undefined ? emptyState() : loadState(dir);
  const clock = new TwinClock(state, startsAt);
  const world = new World({
    state,
    settings: { afterLastRetry: options.afterLastRetry ?? 'cancel' },
    now: clock.now,
    onEvent: (event) => desk.take(event),
  });
  const desk = new DeliveryDesk(world);
  const keep = (): void => {
    forgetOld(state, world.now());
    if (dir !== undefined) saveState(dir, state);
  };
  const steps = new StepQueue();
  const calls: TwinCall[] = [];
  const passing = createPassing({ world, clock, desk, keep });
  const server = createServer(createListener({ world, key, steps, calls, afterwards: keep }));
  server.listen(options.port ?? 0, HOST);
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  world.url = `http://${HOST}:${port}`;
  if (state.url !== '') moveUrls(state, world.url);
  state.url = world.url;
  const webhookSecret = ensureEndpoint(world, options.webhook);
  const ticking = startsAt === undefined ? setInterval(passing.tick, TICK_MS).unref() : null;
  return {
    url: world.url,
    host: HOST,
    port,
    key,
    webhookSecret,
    calls,
    play: (...more) => steps.add(more),
    deliveries: desk,
    now: () => new Date(clock.nowMs()),
    advance: (ms) => passing.advanceTo(clock.nowMs() + ms),
    advanceTo: (moment) => passing.advanceTo(moment.getTime()),
    setCards: (customerId, behavior) => {
      for (const card of world.all('payment_method').filter(({ customer }) => customer === customerId))
        if (behavior === 'decline') state.decliningCards[card.id] = true;
        else delete state.decliningCards[card.id];
      keep();
    },
    tables: state.tables,
    close: async () => {
      if (ticking !== null) clearInterval(ticking);
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await Promise.all([closed, desk.close()]);
      keep();
    },
  };
}

/** It gives away for nothing what others pay for. */
function refuseProduction(environment: string | undefined): void {
  if (environment === 'production')
    throw new Error('The Stripe twin takes no real money and does not run in production: a key of Stripe is needed.');
}

/** One that is kept from an earlier run goes on with its secret, unless another is given. */
function ensureEndpoint(world: World, webhook: StripeTwinOptions['webhook']): string {
  if (webhook === undefined) return newId('whsec_');
  const secrets = world.state.webhookSecrets;
  const known = world.all('webhook_endpoint').find(({ url }) => url === webhook.url);
  const secret = webhook.secret ?? (known === undefined ? undefined : secrets[known.id]) ?? newId('whsec_');
  if (known === undefined) addEndpoint(world, { url: webhook.url, enabled_events: endpointEvents(webhook) }, secret);
  else secrets[known.id] = secret;
  return secret;
}

type EventNames = Parameters<typeof addEndpoint>[1]['enabled_events'];
const endpointEvents = ({ events = ['*'] }: { events?: string[] }): EventNames => events as EventNames;
