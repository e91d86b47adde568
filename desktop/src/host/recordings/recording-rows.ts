/** The rows of recordings. All but two queries are restricted to the signed-in account, because several learners may share this computer. */
import { and, asc, eq, inArray, type SQL } from 'drizzle-orm';
import { recordings, type Store } from '../store/index.ts';

export type Recording = typeof recordings.$inferSelect;
type State = Recording['state'];

export interface RecordingRows {
  insert(recording: Omit<typeof recordings.$inferInsert, 'userId' | 'createdAt'>): void;
  update(recordingId: string, values: Partial<Recording>): void;
  /** Deletes the rows of a session that are in one of the states. */
  delete(sessionId: string, states: readonly State[]): void;
  find(recordingId: string): Recording | undefined;
  findByTurn(turnId: string): Recording | undefined;
  findWaiting(sessionId: string): Recording | null;
  /** Oldest first. */
  listInStates(sessionId: string, states: readonly State[]): Recording[];
  /** Whether any account on this computer has a recording of the turn. */
  isOfAnyAccount(turnId: string): boolean;
  /** The recordings of all accounts that were never finished. */
  listInterrupted(): Recording[];
}

export function createRecordingRows(store: Store): RecordingRows {
  const { db } = store;
  const where = (...conditions: SQL[]) =>
    db
      .select()
      .from(recordings)
      .where(and(eq(recordings.userId, store.identity().userId), ...conditions));
  const isInStates = (sessionId: string, states: readonly State[]): SQL[] => [
    eq(recordings.sessionId, sessionId),
    inArray(recordings.state, [...states]),
  ];
  const write = (statement: () => void): void =>
    store.transaction(() => {
      statement();
      store.markChanged('recordings');
    });

  return {
    insert: (recording) =>
      write(() =>
        db
          .insert(recordings)
          .values({ ...recording, userId: store.identity().userId, createdAt: store.clock.now() })
          .run(),
      ),
    update: (recordingId, values) =>
      write(() => db.update(recordings).set(values).where(eq(recordings.recordingId, recordingId)).run()),
    delete: (sessionId, states) =>
      write(() =>
        db
          .delete(recordings)
          .where(and(eq(recordings.userId, store.identity().userId), ...isInStates(sessionId, states)))
          .run(),
      ),
    find: (recordingId) => where(eq(recordings.recordingId, recordingId)).get(),
    findByTurn: (turnId) => where(eq(recordings.turnId, turnId)).get(),
    findWaiting: (sessionId) => where(...isInStates(sessionId, ['waiting'])).get() ?? null,
    listInStates: (sessionId, states) =>
      where(...isInStates(sessionId, states))
        .orderBy(asc(recordings.createdAt))
        .all(),
    isOfAnyAccount: (turnId) => db.select().from(recordings).where(eq(recordings.turnId, turnId)).get() !== undefined,
    listInterrupted: () => db.select().from(recordings).where(eq(recordings.state, 'recording')).all(),
  };
}
