/** The RxDB device: live replication over its websocket plugin. */
import { join } from 'node:path';
import { loadPeer } from '../../install-peers.ts';
import { serveContestantClient } from '../../serve-contestant.ts';
import { createChangeWatcher } from '../../change-watcher.ts';
import { openCollection, type RxCollection, type RxDatabase } from './collection.ts';

interface Replication {
  awaitInitialReplication: () => Promise<unknown>;
  awaitInSync: () => Promise<unknown>;
}
interface WebsocketReplication {
  replicateWithWebsocketServer: (options: {
    collection: RxCollection;
    url: string;
    replicationIdentifier: string;
    live: boolean;
    batchSize: number;
  }) => Promise<Replication>;
}

const BATCH_ROWS = 1_000;

let database: RxDatabase;
let rows: RxCollection;
let url: string;
let replication: Promise<Replication> | null = null;

const changeWatcher = createChangeWatcher(async (id) => (await rows.findOne(id).exec())?.toJSON().summary);

async function replicate(): Promise<Replication> {
  const { replicateWithWebsocketServer } = await loadPeer<WebsocketReplication>('rxdb/plugins/replication-websocket');
  return replicateWithWebsocketServer({
    collection: rows,
    url: `${url.replace('http', 'ws')}/rows`,
    replicationIdentifier: 'race',
    live: true,
    batchSize: BATCH_ROWS,
  });
}

async function ensureConnected(): Promise<Replication> {
  replication ??= replicate();
  const active = await replication;
  await active.awaitInitialReplication();
  return active;
}

serveContestantClient({
  start: async (place) => {
    ({ url } = place);
    ({ database, rows } = await openCollection(join(place.dir, 'rows.sqlite')));
    rows.$.subscribe(() => changeWatcher.check());
  },
  pullAll: async () => void (await (await ensureConnected()).awaitInSync()),
  push: async (practices) => {
    const { error } = await rows.bulkInsert(practices);
    if (error.length > 0) throw new Error('RxDB refused rows');
    await (await ensureConnected()).awaitInSync();
  },
  change: async ({ id, summary }) => void (await (await rows.findOne(id).exec())?.incrementalPatch({ summary })),
  awaitChange: (row) => changeWatcher.waitFor(row),
  read: async () => (await rows.find().exec()).map((document) => document.toJSON()),
  stop: async () => void (await database.close()),
});
