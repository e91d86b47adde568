/** Words that arrive after their session was deleted here, for example during a first sync. */
import type { TableRows } from '@parley/contract';
import { entities, formatHybridTime, initialClocks, SessionId } from '@parley/domain';
import { NOTHING_MEASURED } from '@parley/domain/test-kit/word-attempt';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { outbox, practiceHistory, removeRow, type Store, wordAttempts, wordCards } from '../../store/index.ts';
import { openTestStore } from '../../test-kit/open-test-store.ts';
import { createRowWriter } from './apply-rows.ts';

const SESSION = '01890000-0000-7000-8000-000000000050';
const ATTEMPT = '01890000-0000-7000-8000-000000000051';
const OTHER_DEVICE = '01890000-0000-7000-8000-000000000052';
/** The clock of the test store is an hour ahead. */
const BEFORE = '2026-11-18T09:00:00.000Z';
const AFTER = '2026-11-18T10:00:05.000Z';
const quiet = (): void => undefined;
const logger = { info: quiet, warn: quiet, error: quiet };

let store: Store;
beforeEach(async () => {
  store = await openTestStore();
  // The session's practice and coach are not here.
  store.sqlite.pragma('foreign_keys = OFF');
});
afterEach(() => store.close());

const timesOf = (at: string) =>
  initialClocks(formatHybridTime({ ms: Date.parse(at), counter: 0, deviceId: OTHER_DEVICE }));

function insertDeletedSession(): void {
  const { userId } = store.identity();
  const now = store.clock.now();
  const session = {
    id: SessionId.parse(SESSION),
    userId,
    practiceId: SESSION,
    agentId: SESSION,
    status: 'completed',
    communicationStyle: 'audio',
    difficulty: 'easy',
    createdAt: now,
    updatedAt: now,
    syncVersion: 1,
    entireConversation: [],
    completedObjectives: [],
    duration: 0,
    fieldClocks: timesOf(BEFORE),
  };
  store.db
    .insert(practiceHistory)
    .values(session as unknown as typeof practiceHistory.$inferInsert)
    .run();
  removeRow(store, 'practiceHistory', SESSION);
}

/** The server's row of an attempt at a word of the session, last set at this time. */
function anAttempt(at: string): TableRows {
  const row = {
    id: ATTEMPT,
    userId: store.identity().userId,
    createdAt: at,
    updatedAt: at,
    syncVersion: 2,
    deletedAt: null,
    kind: 'attempt',
    at,
    day: '2026-11-18',
    word: 'comfortable',
    ...NOTHING_MEASURED,
    accuracy: 40,
    source: 'session',
    sessionId: SESSION,
    turnId: null,
    fieldClocks: timesOf(at),
  };
  return { table: entities.wordAttempts.name, fields: Object.keys(row), rows: [Object.values(row)] };
}

const apply = (pulled: TableRows): void =>
  store.transaction(() => void createRowWriter({ store, logger }).apply([pulled]));

const isDeleted = (): boolean => store.db.select().from(wordAttempts).get()?.deletedAt !== null;
const deletionsToSend = (): string[] =>
  store.db
    .select()
    .from(outbox)
    .all()
    .flatMap(({ op, rowId }) => (op === 'delete' ? [rowId] : []));

it('words of deleted sessions are deleted on all devices and appear on no card', () => {
  insertDeletedSession();
  apply(anAttempt(BEFORE));
  expect(isDeleted()).toBe(true);
  expect(deletionsToSend()).toEqual([SESSION, ATTEMPT]);
  expect(store.db.select().from(wordCards).all()).toEqual([]);
  // The server sends the row again before it has received the deletion.
  apply(anAttempt(BEFORE));
  expect(deletionsToSend()).toEqual([SESSION, ATTEMPT]);
});

it('words stay when they were said or restored after the deletion', () => {
  insertDeletedSession();
  apply(anAttempt(AFTER));
  expect(isDeleted()).toBe(false);
  expect(deletionsToSend()).toEqual([SESSION]);
});
