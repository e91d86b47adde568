/** Zero's device: memory first, an SQLite store behind it. */
import { loadPeer } from '../../peers.ts';
import type { PracticeRow, RowDigest } from '../../rows.ts';
import { serveClient } from '../../serve.ts';
import { whenSeen } from '../../when-seen.ts';
import { USER } from './api.ts';
import { loadModel, type Model } from './model.ts';
import { sqliteStoreIn, type StoreProvider, type WrittenTo } from './sqlite-store.ts';

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

/** zero-cache takes no message above 10 MB. */
const ROWS_A_MUTATION = 1_000;
/** Rows are in the store as JSON; less was something else. */
const LEAST_BYTES_A_ROW = 500;

let zero: Zero;
let model: Model;
let written: WrittenTo;
let isWatching = false;
let shown: ReadonlyMap<string, string> = new Map();

const seen = whenSeen((id) => shown.get(id));

async function watch(): Promise<void> {
  if (isWatching) return;
  isWatching = true;
  zero.materialize(model.queries.all()).addListener((rows) => {
    shown = new Map(rows.map(({ id, summary }) => [id, summary]));
    seen.look();
  });
}

async function insert(rows: readonly PracticeRow[]): Promise<void> {
  const { type } = await zero.mutate(model.mutators.insert({ rows })).server;
  if (type !== 'success') throw new Error('the server refused rows');
}

serveClient({
  start: async ({ dir, url }) => {
    const { Zero: Client } = await loadPeer<ZeroModule>('@rocicorp/zero');
    model = await loadModel();
    written = await sqliteStoreIn(dir);
    const { schema, mutators } = model;
    zero = new Client({ cacheURL: url, userID: USER, schema, mutators, kvStore: written.provider, context: {} });
  },
  pullAll: async (expected) => {
    const stored = written.nextWrite(expected * LEAST_BYTES_A_ROW);
    await zero.preload(model.queries.all()).complete;
    await stored;
  },
  push: async (rows) => {
    for (let from = 0; from < rows.length; from += ROWS_A_MUTATION)
      await insert(rows.slice(from, from + ROWS_A_MUTATION));
  },
  change: async ({ id, summary }) => void (await zero.mutate(model.mutators.change({ id, summary })).client),
  awaitChange: async (row) => {
    await watch();
    await seen.wait(row);
  },
  stored: () => written.nextWrite(1),
  read: () => zero.run(model.queries.all()),
  stop: async () => void (await zero.close()),
});
