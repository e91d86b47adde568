/** The Zero device: memory first, with an SQLite store behind it. */
import { loadPeer } from '../../install-peers.ts';
import type { PracticeRow, RowDigest } from '../../workload-rows.ts';
import { serveContestantClient } from '../../serve-contestant.ts';
import { createChangeWatcher } from '../../change-watcher.ts';
import { USER } from './api-server.ts';
import { loadModel, type Model } from './model.ts';
import { createObservedStore, type StoreProvider, type ObservedStore } from './sqlite-store.ts';

interface Mutation {
  client: Promise<unknown>;
  server: Promise<{ type: 'success' | 'error' }>;
}
interface Zero {
  preload: (query: unknown) => { complete: Promise<void> };
  run: (query: unknown) => Promise<RowDigest[]>;
  materialize: (query: unknown) => { addListener: (listener: (rows: readonly RowDigest[]) => void) => unknown };
  mutate: (mutation: unknown) => Mutation;
  close: () => Promise<unknown>;
}
interface ZeroModule {
  Zero: new (options: {
    cacheURL: string;
    userID: string;
    schema: unknown;
    mutators: unknown;
    kvStore: StoreProvider;
    context: unknown;
  }) => Zero;
}

/** zero-cache rejects messages above 10 MB. */
const ROWS_PER_MUTATION = 1_000;
/** The store keeps rows as JSON, so a smaller write must be something else. */
const MIN_BYTES_PER_ROW = 500;

let zero: Zero;
let model: Model;
let observedStore: ObservedStore;
let isWatching = false;
let visibleRows: ReadonlyMap<string, string> = new Map();

const changeWatcher = createChangeWatcher((id) => visibleRows.get(id));

async function watch(): Promise<void> {
  if (isWatching) return;
  isWatching = true;
  zero.materialize(model.queries.all()).addListener((rows) => {
    visibleRows = new Map(rows.map(({ id, summary }) => [id, summary]));
    changeWatcher.check();
  });
}

async function insert(rows: readonly PracticeRow[]): Promise<void> {
  const { type } = await zero.mutate(model.mutators.insert({ rows })).server;
  if (type !== 'success') throw new Error('the server refused rows');
}

serveContestantClient({
  start: async ({ dir, url }) => {
    const { Zero: Client } = await loadPeer<ZeroModule>('@rocicorp/zero');
    model = await loadModel();
    observedStore = await createObservedStore(dir);
    const { schema, mutators } = model;
    zero = new Client({ cacheURL: url, userID: USER, schema, mutators, kvStore: observedStore.provider, context: {} });
  },
  pullAll: async ({ sessions: expected }) => {
    const stored = observedStore.nextWrite(expected * MIN_BYTES_PER_ROW);
    await zero.preload(model.queries.all()).complete;
    await stored;
  },
  push: async (rows) => {
    for (let from = 0; from < rows.length; from += ROWS_PER_MUTATION)
      await insert(rows.slice(from, from + ROWS_PER_MUTATION));
  },
  change: async ({ id, summary }) => void (await zero.mutate(model.mutators.change({ id, summary })).client),
  awaitChange: async (row) => {
    await watch();
    await changeWatcher.waitFor(row);
  },
  whenStored: () => observedStore.nextWrite(1),
  read: () => zero.run(model.queries.all()),
  stop: async () => void (await zero.close()),
});
