/** Erases the recordings and drafts of sessions that were deleted a week ago, here or on another device. Until then a deletion can be undone. */
import { and, eq, inArray, lt, or } from 'drizzle-orm';
import type { Recordings } from '../recordings/index.ts';
import {
  practiceHistory,
  RECORDING_STATES,
  recordingCopies,
  recordings as recordingRows,
  sessionDrafts,
  type Store,
} from '../store/index.ts';

const KEPT_MS = 7 * 24 * 3_600_000;

export function eraseDeletedRecordings(
  store: Store,
  {
    recordings,
    copies,
  }: {
    recordings: Pick<Recordings, 'remove'>;
    /** Copies of other devices' recordings that were played here, and of recordings that wait to be sent. */
    copies: { removeSession: (sessionId: string) => void; removeFilesOfDeleted: () => void };
  },
): void {
  const { userId } = store.identity();
  const deletedBefore = new Date(store.clock.now().getTime() - KEPT_MS);
  const recorded = store.db
    .select({ id: recordingRows.sessionId })
    .from(recordingRows)
    .where(eq(recordingRows.userId, userId));
  const copied = store.db
    .select({ id: recordingCopies.sessionId })
    .from(recordingCopies)
    .where(eq(recordingCopies.userId, userId));
  const isDeleted = and(eq(practiceHistory.userId, userId), lt(practiceHistory.deletedAt, deletedBefore));
  const sessions = store.db.select({ id: practiceHistory.id }).from(practiceHistory);
  const deleted = store.db
    .select({ id: practiceHistory.id })
    .from(practiceHistory)
    .where(and(isDeleted, or(inArray(practiceHistory.id, recorded), inArray(practiceHistory.id, copied))))
    .all();
  store.db
    .delete(sessionDrafts)
    .where(inArray(sessionDrafts.sessionId, sessions.where(isDeleted)))
    .run();
  for (const { id } of deleted) {
    recordings.remove(id, RECORDING_STATES);
    copies.removeSession(id);
  }
  copies.removeFilesOfDeleted();
}
