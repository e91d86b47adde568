/** RxDB's device: replicates live over its websocket plugin. */
import { join } from 'node:path';
import { loadPeer } from '../../peers.ts';
import { serveClient } from '../../serve.ts';
import { whenSeen } from '../../when-seen.ts';
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

const seen = whenSeen(async (id) => (await rows.findOne(id).exec())?.toJSON().summary);

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

async function connected(): Promise<Replication> {
  replication ??= replicate();
  const running = await replication;
  await running.awaitInitialReplication();
  return running;
}

serveClient({
  start: async (place) => {
    ({ url } = place);
    ({ database, rows } = await openCollection(join(place.dir, 'rows.sqlite')));
    rows.$.subscribe(() => seen.look());
  },
  pullAll: async () => void (await (await connected()).awaitInSync()),
  push: async (practices) => {
    const { error } = await rows.bulkInsert(practices);
    if (error.length > 0) throw new Error('RxDB refused rows');
    await (await connected()).awaitInSync();
  },
  change: async ({ id, summary }) => void (await (await rows.findOne(id).exec())?.incrementalPatch({ summary })),
  awaitChange: (row) => seen.wait(row),
  read: async () => (await rows.find().exec()).map((document) => document.toJSON()),
  stop: async () => void (await database.close()),
});
