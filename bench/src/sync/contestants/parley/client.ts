/** The Parley device: the store and sync loop of the desktop host. */
import {
  CoachId,
  PracticeId,
  RecordingId,
  sessionInteractionId,
  SessionId,
  turnAttemptId,
  TurnId,
} from '@parley/domain';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { uuidv7 } from 'uuidv7';
import {
  insertRow,
  insertRows,
  openStore,
  type Store,
  updateRow,
} from '../../../../../desktop/src/host/store/index.ts';
import { createFileVault, readCredentials } from '../../../../../desktop/src/host/server/index.ts';
import { createSync, type Sync } from '../../../../../desktop/src/host/sync/index.ts';
import type { SpokenTurn } from '../../spoken-sessions.ts';
import type { PracticeRow, RowDigest } from '../../workload-rows.ts';
import { addToLog, aLogRow } from '../../../../../desktop/src/host/review/record-attempts.ts';
import { serveContestantClient } from '../../serve-contestant.ts';
import { createChangeWatcher } from '../../change-watcher.ts';

const MIGRATIONS_DIR = fileURLToPath(new URL('../../../../../desktop/src/host/store/migrations', import.meta.url));
const POLL_MS = 20;
const fail = (failure: unknown, what: string): void => console.error(what, failure);
const logger = { info: () => undefined, warn: fail, error: fail };

/** The link code is used once; after that this device belongs to the account. */
let ticket: string | null = null;
let device: { store: Store; sync: Sync } | null = null;
const changeWatcher = createChangeWatcher((id) => summaryOf(id));

function requireDevice(): { store: Store; sync: Sync } {
  if (device === null) throw new Error('the device is not started');
  return device;
}

const summaryOf = (id: string): string | undefined =>
  requireDevice()
    .store.sqlite.prepare<[string], string>('SELECT summary FROM practice_history WHERE id = ?')
    .pluck()
    .get(id);

/** Reads catalogue ids, because a session must refer to an existing practice and coach. */
function readIds(table: 'practices' | 'ai_agent_profiles', column: 'practice_id' | 'agent_id'): string[] {
  return requireDevice().store.sqlite.prepare<[], string>(`SELECT ${column} FROM ${table} ORDER BY 1`).pluck().all();
}

function insertAll(rows: readonly PracticeRow[]): void {
  const { store } = requireDevice();
  const [practiceIds, coachIds] = [readIds('practices', 'practice_id'), readIds('ai_agent_profiles', 'agent_id')];
  const { userId } = store.identity();
  store.transaction(() => {
    for (const [index, { turns, ...row }] of rows.entries()) {
      const practiceId = PracticeId.parse(practiceIds[index % practiceIds.length]);
      const agentId = CoachId.parse(coachIds[index % coachIds.length]);
      insertRow(store, 'practiceHistory', { ...row, practiceId, agentId, userId, pausedAt: null });
      if (turns !== undefined) insertTurns(store, { sessionId: row.id, practiceId, turns });
    }
  });
}

function insertTurns(
  store: Store,
  { sessionId, practiceId, turns }: { sessionId: SessionId; practiceId: PracticeId; turns: readonly SpokenTurn[] },
): void {
  const { userId } = store.identity();
  const interactionId = sessionInteractionId(sessionId);
  insertRow(store, 'userCourseInteraction', {
    interactionId,
    userId,
    courseId: null,
    interactionType: 'practice',
    timestamp: store.clock.now(),
    details: { sessionId, practiceId, videoId: null, courseSectionId: null },
  });
  const rows = turns.map(({ attempts: _attempts, saidAt, previousTurnId, role, ...turn }) => ({
    ...turn,
    role,
    interactionId,
    userId,
    courseId: null,
    sessionId,
    previousTurnId: previousTurnId === null ? null : TurnId.parse(previousTurnId),
    saidAt: new Date(saidAt),
    kind: role === 'coach' ? ('line' as const) : null,
    mode: role === 'learner' ? ('voice' as const) : null,
    fitted: true,
    recordingId: role === 'learner' ? RecordingId.parse(turn.conversationId) : null,
    hintLevel: 0,
  }));
  // As in real practice: the coach begins, and then each answer is stored with the coach's reply to it.
  for (let first = 0; first < rows.length; first += first === 0 ? 1 : 2)
    insertRows(store, 'aiConversations', rows.slice(first, first === 0 ? 1 : first + 2));
  addToLog(
    store,
    turns.flatMap(({ attempts, saidAt, content, conversationId }) => {
      const row = aLogRow(store, new Date(saidAt));
      return attempts.map((attempt, place) => ({
        ...row,
        ...attempt,
        id: turnAttemptId(conversationId, place),
        kind: 'attempt' as const,
        source: 'session' as const,
        sessionId,
        turnId: TurnId.parse(conversationId),
        recordingId: RecordingId.parse(conversationId),
        sentence: content,
      }));
    }),
  );
}

/** Syncs until the expected rows have arrived, while the background loop runs in parallel. */
async function syncUntil(isDone: () => boolean): Promise<void> {
  for (;;) {
    const status = await requireDevice().sync.run();
    if (status.rejected > 0) throw new Error(`the server refused ${status.rejected} changes`);
    if (status.state === 'idle' && isDone()) return;
    if (status.state !== 'idle') throw new Error(`sync came to ${status.state}`);
    await wait(POLL_MS);
  }
}

/** Waits for the sync loop, which sends new rows in the background. */
const waitUntilAllSent = (): Promise<void> =>
  new Promise((resolve, reject) => {
    const stopListening = requireDevice().sync.onStatus(({ state, waiting, rejected }) => {
      const isOver = state === 'idle' && waiting === 0;
      if (!isOver && rejected === 0 && (state === 'pushing' || state === 'pulling' || state === 'idle')) return;
      stopListening();
      if (isOver && rejected === 0) resolve();
      else reject(new Error(`sync came to ${state}, and the server refused ${rejected} changes`));
    });
  });

const countRows = (table: 'practice_history' | 'ai_conversations'): number =>
  requireDevice().store.sqlite.prepare<[], number>(`SELECT count(*) FROM ${table}`).pluck().get() ?? 0;

serveContestantClient({
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
    store.changes.subscribe(() => changeWatcher.check());
    sync.start();
    // A real device has registered and received the catalogue long before a learner types a link code.
    await syncUntil(() => true);
  },
  invite: async () => {
    const code = await requireDevice().sync.request((client) => client.devices.createLinkCode({}));
    if (!code.ok) throw new Error(code.error.code);
    return code.value.code;
  },
  pullAll: async ({ sessions, turns }, onListed) => {
    const stopListening = requireDevice().store.changes.subscribe(() => {
      if (countRows('practice_history') < sessions) return;
      stopListening();
      onListed();
    });
    if (ticket !== null) {
      const code = ticket;
      const joined = await requireDevice().sync.switchAccount((client, device) =>
        client.devices.join({ code, ...device }),
      );
      if (!joined.ok) throw new Error(joined.error.code);
      ticket = null;
    }
    if (countRows('practice_history') !== sessions) await syncUntil(() => countRows('practice_history') === sessions);
    await requireDevice().sync.fetchEverything();
    if (countRows('ai_conversations') !== turns) throw new Error('turns are missing');
  },
  push: async (rows) => {
    const sent = waitUntilAllSent();
    insertAll(rows);
    await sent;
  },
  change: async ({ id, summary }) => updateRow(requireDevice().store, 'practiceHistory', id, { summary }),
  awaitChange: (row) => changeWatcher.waitFor(row),
  read: async () =>
    requireDevice().store.sqlite.prepare<[], RowDigest>('SELECT id, summary FROM practice_history').all(),
  stop: async () => {
    const { store, sync } = requireDevice();
    await sync.close();
    store.close();
  },
});
