/** The PouchDB device: one replication in large batches, then live sync in both directions, as its guide recommends. */
import { serveContestantClient } from '../../serve-contestant.ts';
import { createChangeWatcher } from '../../change-watcher.ts';
import { DATABASE, type PouchDatabase, createPouch, type PouchSync } from './database.ts';

const BATCH_ROWS = 1_000;
const MAX_BATCHES_IN_FLIGHT = 10;

let database: PouchDatabase;
let remote: string;
let sync: PouchSync | null = null;
let changes: { cancel: () => void } | null = null;

const changeWatcher = createChangeWatcher(async (id) => (await database.get(id)).summary);

function startLiveSync(): PouchSync {
  sync ??= database.sync(remote, { live: true, retry: true, batch_size: BATCH_ROWS });
  return sync;
}

const waitUntilPushed = (count: number): Promise<void> =>
  new Promise((resolve) => {
    let pushed = 0;
    startLiveSync().on('change', ({ direction, change }) => {
      if (direction === 'push') pushed += change.docs.length;
      if (pushed >= count) resolve();
    });
  });

serveContestantClient({
  start: async ({ dir, url }) => {
    remote = `${url}/${DATABASE}`;
    const Pouch = await createPouch(dir);
    database = new Pouch(DATABASE);
    await database.info();
    const feed = database.changes({ live: true, since: 'now' });
    feed.on('change', () => changeWatcher.check());
    changes = feed;
  },
  pullAll: async () => {
    await database.replicate.from(remote, { batch_size: BATCH_ROWS, batches_limit: MAX_BATCHES_IN_FLIGHT });
    startLiveSync();
  },
  push: async (rows) => {
    await database.bulkDocs(rows.map(({ id, ...row }) => ({ ...row, _id: id })));
    await waitUntilPushed(rows.length);
  },
  change: async ({ id, summary }) => void (await database.put({ ...(await database.get(id)), summary })),
  awaitChange: (row) => changeWatcher.waitFor(row),
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
