/** PouchDB's device: one replication in large batches first, then live sync both ways, as its guide says. */
import { serveClient } from '../../serve.ts';
import { whenSeen } from '../../when-seen.ts';
import { DATABASE, type PouchDatabase, pouchIn, type PouchSync } from './database.ts';

const BATCH_ROWS = 1_000;
const BATCHES_AHEAD = 10;

let database: PouchDatabase;
let remote: string;
let sync: PouchSync | null = null;
let changes: { cancel: () => void } | null = null;

const seen = whenSeen(async (id) => (await database.get(id)).summary);

function live(): PouchSync {
  sync ??= database.sync(remote, { live: true, retry: true, batch_size: BATCH_ROWS });
  return sync;
}

const untilPushed = (count: number): Promise<void> =>
  new Promise((resolve) => {
    let pushed = 0;
    live().on('change', ({ direction, change }) => {
      if (direction === 'push') pushed += change.docs.length;
      if (pushed >= count) resolve();
    });
  });

serveClient({
  start: async ({ dir, url }) => {
    remote = `${url}/${DATABASE}`;
    const Pouch = await pouchIn(dir);
    database = new Pouch(DATABASE);
    await database.info();
    const feed = database.changes({ live: true, since: 'now' });
    feed.on('change', () => seen.look());
    changes = feed;
  },
  pullAll: async () => {
    await database.replicate.from(remote, { batch_size: BATCH_ROWS, batches_limit: BATCHES_AHEAD });
    live();
  },
  push: async (rows) => {
    await database.bulkDocs(rows.map(({ id, ...row }) => ({ ...row, _id: id })));
    await untilPushed(rows.length);
  },
  change: async ({ id, summary }) => void (await database.put({ ...(await database.get(id)), summary })),
  awaitChange: (row) => seen.wait(row),
  read: async () => {
    const { rows } = await database.allDocs({ include_docs: true });
    return rows.map(({ id, doc: { summary } }) => ({ id, summary }));
  },
  stop: async () => {
    changes?.cancel();
    sync?.cancel();
    await database.close();
  },
});
