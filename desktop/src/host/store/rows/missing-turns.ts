/**
 * Which sessions still lack turns that the server has. Until they have come, nothing may be concluded from the turns that are here: such a
 * session is not an empty one.
 */
import { and, count, desc, eq, gte, isNull, sql } from 'drizzle-orm';
import { missingTurns, syncState } from '../schema/device-tables.ts';
import { aiConversations, practiceHistory } from '../schema/tables.ts';
import type { Store } from '../store.ts';

type Rows = Pick<Store, 'db' | 'identity' | 'markChanged'>;

/** Compares the turns of a session that are here with those that the server has up to a version. */
export function noteServerTurns(
  store: Rows,
  server: { sessionId: string; count: number; versions: number; upTo: number },
): void {
  const { sessionId, upTo } = server;
  const here = store.db
    .select({ count: count(), versions: sql<number>`coalesce(sum(${aiConversations.syncVersion}), 0)` })
    .from(aiConversations)
    .where(
      and(
        eq(aiConversations.sessionId, sessionId),
        sql`${aiConversations.syncVersion} > 0`,
        sql`${aiConversations.syncVersion} <= ${upTo}`,
      ),
    )
    .get();
  // A version that is here is never newer than the server's, so equal sums mean equal turns.
  if (here?.count === server.count && here.versions === server.versions) return deleteNote(store, sessionId);
  const announced = server.count;
  store.db
    .insert(missingTurns)
    .values({ userId: store.identity().userId, sessionId, announced })
    .onConflictDoUpdate({ target: [missingTurns.userId, missingTurns.sessionId], set: { announced } })
    .run();
}

/**
 * Call this in the transaction that stores the last of the session's turns. Returns whether as many have come as the server had announced;
 * otherwise the session still counts as incomplete until the server has sent as many again, because a pull must first find out whether it
 * was restored. A deleted session may have lost turns since, because the server purges them.
 */
export function noteTurnsComplete(
  store: Rows,
  { sessionId, received }: { sessionId: string; received: number },
): boolean {
  const { db } = store;
  const announced = db.select().from(missingTurns).where(isOwn(store, sessionId)).get()?.announced ?? 0;
  if (received < announced && isSessionHere(store, sessionId)) {
    db.update(missingTurns).set({ announced: received }).where(isOwn(store, sessionId)).run();
    return false;
  }
  deleteNote(store, sessionId);
  return true;
}

function deleteNote(store: Rows, sessionId: string): void {
  const { changes } = store.db.delete(missingTurns).where(isOwn(store, sessionId)).run();
  if (changes > 0) store.markChanged('practice_history');
}

const isSessionHere = (store: Rows, sessionId: string): boolean =>
  store.db
    .select({ id: practiceHistory.id })
    .from(practiceHistory)
    .where(and(eq(practiceHistory.id, sessionId), isNull(practiceHistory.deletedAt)))
    .get() !== undefined;

const isOwn = (store: Rows, sessionId: string) =>
  and(eq(missingTurns.userId, store.identity().userId), eq(missingTurns.sessionId, sessionId));

export const hasMissingTurns = (store: Rows, sessionId: string): boolean =>
  store.db.select({ sessionId: missingTurns.sessionId }).from(missingTurns).where(isOwn(store, sessionId)).get() !==
  undefined;

/** Sessions that lack turns, the last changed first; sessions whose own row is not here come last. */
export const listMissingTurns = (store: Rows, { since, limit }: { since: Date | null; limit: number }): string[] =>
  store.db
    .select({ sessionId: missingTurns.sessionId })
    .from(missingTurns)
    .leftJoin(practiceHistory, eq(practiceHistory.id, missingTurns.sessionId))
    .where(
      and(
        eq(missingTurns.userId, store.identity().userId),
        since === null ? undefined : gte(practiceHistory.updatedAt, since),
      ),
    )
    .orderBy(desc(practiceHistory.updatedAt))
    .limit(limit)
    .all()
    .map(({ sessionId }) => sessionId);

/** How many sessions that the learner has not deleted lack turns. */
export const countMissingTurns = (store: Rows): number =>
  store.db
    .select({ total: count() })
    .from(missingTurns)
    .innerJoin(practiceHistory, eq(practiceHistory.id, missingTurns.sessionId))
    .where(and(eq(missingTurns.userId, store.identity().userId), isNull(practiceHistory.deletedAt)))
    .get()?.total ?? 0;

/** The next pull reads everything from the beginning, with all turns, over what is here. */
export const pullWhole = ({ db }: Pick<Store, 'db'>): void =>
  void db.update(syncState).set({ userCursor: 0, olderCursor: null, pullsTurnsLater: false }).run();

/** Everything has been read with all turns, or belongs to an account or a server that this device has left. */
export const forgetMissingTurns = ({ db }: Pick<Store, 'db'>): void => void db.delete(missingTurns).run();
