/** Parley's device: the desktop host's store and its sync loop, which registers, sends and hears of changes by itself. */
import { CoachId, PracticeId } from '@parley/domain';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { uuidv7 } from 'uuidv7';
import { insertRow, openStore, type Store, updateRow } from '../../../../../desktop/src/host/store/index.ts';
import { createFileVault, createSync, readCredentials, type Sync } from '../../../../../desktop/src/host/sync/index.ts';
import type { PracticeRow, RowDigest } from '../../rows.ts';
import { serveClient } from '../../serve.ts';
import { whenSeen } from '../../when-seen.ts';

const MIGRATIONS_DIR = fileURLToPath(new URL('../../../../../desktop/src/host/store/migrations', import.meta.url));
const LOOK_EVERY_MS = 20;
const fail = (failure: unknown, what: string): void => console.error(what, failure);
const logger = { info: () => undefined, warn: fail, error: fail };

/** Used once: after that this device belongs to the account. */
let ticket: string | null = null;
let device: { store: Store; sync: Sync } | null = null;
const seen = whenSeen((id) => summaryOf(id));

function open(): { store: Store; sync: Sync } {
  if (device === null) throw new Error('the device is not started');
  return device;
}

const summaryOf = (id: string): string | undefined =>
  open().store.sqlite.prepare<[string], string>('SELECT summary FROM practice_history WHERE id = ?').pluck().get(id);

/** The catalogue's own ids: a session refers to a practice and a coach that exist. */
function idsIn(table: 'practices' | 'ai_agent_profiles', column: 'practice_id' | 'agent_id'): string[] {
  return open().store.sqlite.prepare<[], string>(`SELECT ${column} FROM ${table} ORDER BY 1`).pluck().all();
}

function insertAll(rows: readonly PracticeRow[]): void {
  const { store } = open();
  const [practiceIds, coachIds] = [idsIn('practices', 'practice_id'), idsIn('ai_agent_profiles', 'agent_id')];
  const { userId } = store.identity();
  store.transaction(() => {
    for (const [index, row] of rows.entries())
      insertRow(store, 'practiceHistory', {
        ...row,
        practiceId: PracticeId.parse(practiceIds[index % practiceIds.length]),
        agentId: CoachId.parse(coachIds[index % coachIds.length]),
        userId,
        pausedAt: null,
      });
  });
}

/** A round at once, and again until it has brought what is waited for; the loop's own rounds go on beside. */
async function untilSynced(isDone: () => boolean): Promise<void> {
  for (;;) {
    const status = await open().sync.run();
    if (status.rejected > 0) throw new Error(`the server refused ${status.rejected} changes`);
    if (status.state === 'idle' && isDone()) return;
    if (status.state !== 'idle') throw new Error(`sync came to ${status.state}`);
    await wait(LOOK_EVERY_MS);
  }
}

/** The loop hears of new rows and sends them by itself. */
const untilAllIsSent = (): Promise<void> =>
  new Promise((resolve, reject) => {
    const stopListening = open().sync.onStatus(({ state, waiting, rejected }) => {
      const isOver = state === 'idle' && waiting === 0;
      if (!isOver && rejected === 0 && (state === 'pushing' || state === 'pulling' || state === 'idle')) return;
      stopListening();
      if (isOver && rejected === 0) resolve();
      else reject(new Error(`sync came to ${state}, and the server refused ${rejected} changes`));
    });
  });

const heldRows = (): number =>
  open().store.sqlite.prepare<[], number>('SELECT count(*) FROM practice_history').pluck().get() ?? 0;

serveClient({
  start: async ({ dir, url, ticket: given }) => {
    ticket = given;
    const vault = createFileVault(dir);
    const known = await readCredentials(vault);
    const clock = { now: () => new Date() };
    const store = await openStore({
      dataDir: dir,
      clock,
      newId: uuidv7,
      migrationsDir: MIGRATIONS_DIR,
      knownIdentity: () => known,
    });
    const sync = createSync({
      store,
      serverUrl: url,
      vault,
      chance: Math.random,
      logger,
      device: { name: 'A device in a race', platform: 'other' },
    });
    device = { store, sync };
    store.changes.subscribe(() => seen.look());
    sync.start();
    // A new device registers and receives the catalogue, as it does long before anybody types a code.
    await untilSynced(() => true);
  },
  invite: async () => {
    const code = await open().sync.ask((client) => client.devices.createLinkCode({}));
    if (!code.ok) throw new Error(code.error.code);
    return code.value.code;
  },
  pullAll: async (expected) => {
    if (ticket !== null) {
      const code = ticket;
      const joined = await open().sync.moveTo((client, device) => client.devices.join({ code, ...device }));
      if (!joined.ok) throw new Error(joined.error.code);
      ticket = null;
    }
    if (heldRows() !== expected) await untilSynced(() => heldRows() === expected);
  },
  push: async (rows) => {
    const sent = untilAllIsSent();
    insertAll(rows);
    await sent;
  },
  change: async ({ id, summary }) => updateRow(open().store, 'practiceHistory', id, { summary }),
  awaitChange: (row) => seen.wait(row),
  read: async () => open().store.sqlite.prepare<[], RowDigest>('SELECT id, summary FROM practice_history').all(),
  stop: async () => {
    const { store, sync } = open();
    await sync.close();
    store.close();
  },
});
