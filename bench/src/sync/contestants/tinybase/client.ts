/** The TinyBase device: a mergeable store that saves itself and syncs over a websocket. */
import { join } from 'node:path';
import { loadPeer } from '../../install-peers.ts';
import { serveContestantClient } from '../../serve-contestant.ts';
import { createChangeWatcher } from '../../change-watcher.ts';
import {
  toCells,
  type MergeableStore,
  openStore,
  type PersistedStore,
  TABLE,
  waitForRows,
  waitUntilSaved,
} from './saved-store.ts';

interface Synchronizer {
  startSync: () => Promise<unknown>;
  destroy: () => Promise<unknown>;
}
interface WsClients {
  createWsSynchronizer: (
    store: MergeableStore,
    socket: unknown,
    requestTimeoutSeconds: number,
  ) => Promise<Synchronizer>;
}
interface Ws {
  WebSocket: new (url: string) => unknown;
}

const REQUEST_TIMEOUT_S = 60;

let saved: PersistedStore;
let url: string;
let synchronizer: Synchronizer | null = null;

const changeWatcher = createChangeWatcher((id) => saved.store.getCell(TABLE, id, 'summary'));

async function connect(): Promise<void> {
  if (synchronizer !== null) return;
  const { WebSocket } = await loadPeer<Ws>('ws');
  const { createWsSynchronizer } = await loadPeer<WsClients>('tinybase/synchronizers/synchronizer-ws-client');
  const socket = new WebSocket(`${url.replace('http', 'ws')}/${TABLE}`);
  synchronizer = await createWsSynchronizer(saved.store, socket, REQUEST_TIMEOUT_S);
  await synchronizer.startSync();
}

serveContestantClient({
  start: async (place) => {
    ({ url } = place);
    saved = await openStore(join(place.dir, 'rows.sqlite'));
    await saved.persister.load();
    await saved.persister.startAutoSave();
    saved.store.addTablesListener(() => changeWatcher.check());
  },
  pullAll: async ({ sessions: expected }) => {
    await connect();
    await waitForRows(saved.store, expected);
    await waitUntilSaved(saved.persister);
  },
  push: async (rows) => {
    const { store, persister } = saved;
    await connect();
    store.transaction(() => {
      for (const row of rows) store.setRow(TABLE, row.id, toCells(row));
    });
    await waitUntilSaved(persister);
    await (await fetch(`${url}/saved?rows=${store.getRowCount(TABLE)}`)).text();
  },
  change: async ({ id, summary }) => void saved.store.setCell(TABLE, id, 'summary', summary),
  awaitChange: (row) => changeWatcher.waitFor(row),
  whenStored: () => waitUntilSaved(saved.persister),
  read: async () => {
    const { store } = saved;
    return store.getRowIds(TABLE).map((id) => ({ id, summary: store.getCell(TABLE, id, 'summary') ?? '' }));
  },
  stop: async () => {
    await waitUntilSaved(saved.persister);
    await synchronizer?.destroy();
    await saved.persister.destroy();
    saved.sqlite.close();
  },
});
