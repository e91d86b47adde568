/**
 * Lists the sessions of which the server has turns that are not here yet. Until they have arrived, nothing may be
 * concluded from the turns that are here; in particular, the session must not count as empty.
 */
import { and, count, desc, eq, gte, isNull, sql } from 'drizzle-orm';
import { missingTurns, syncState } from '../schema/device-tables.ts';
import { aiConversations, practiceHistory } from '../schema/tables.ts';
import type { Store } from '../store.ts';

type Rows = Pick<Store, 'db' | 'identity' | 'markChanged'>;

interface ServerTurns {
  sessionId: string;
  count: number;
  /** The sum of their versions. */
  versions: number;
}

/**
 * Compares the turns that are here with those that the server has up to a version, for the hundreds of sessions that a
 * page lists.
 */
export function recordAnnouncedTurns(store: Rows, server: readonly ServerTurns[], { upTo }: { upTo: number }): void {
  if (server.length === 0) return;
  const ids = JSON.stringify(server.map(({ sessionId }) => sessionId));
  const here = store.db
    .select({
      sessionId: aiConversations.sessionId,
      count: count(),
      versions: sql<number>`sum(${aiConversations.syncVersion})`,
    })
    .from(aiConversations)
    .where(
      and(
        sql`${aiConversations.sessionId} in (select value from json_each(${ids}))`,
        sql`${aiConversations.syncVersion} > 0`,
        sql`${aiConversations.syncVersion} <= ${upTo}`,
      ),
    )
    .groupBy(aiConversations.sessionId)
    .all();
  const hereById = new Map(here.map((turns) => [turns.sessionId, turns]));
  // A row here is never newer than the server's, so equal sums of versions mean equal turns.
  const isComplete = ({ sessionId, ...turns }: ServerTurns): boolean =>
    hereById.get(sessionId)?.count === turns.count && hereById.get(sessionId)?.versions === turns.versions;
  deleteNotes(
    store,
    server.filter(isComplete).map(({ sessionId }) => sessionId),
  );
  const incomplete = server.filter((turns) => !isComplete(turns));
  if (incomplete.length === 0) return;
  const listed = JSON.stringify(incomplete.map(({ sessionId, count: announced }) => ({ sessionId, announced })));
  store.db
    .insert(missingTurns)
    .select(
      sql`select ${store.identity().userId}, value ->> 'sessionId', value ->> 'announced' from json_each(${listed}) where true`,
    )
    .onConflictDoUpdate({
      target: [missingTurns.userId, missingTurns.sessionId],
      set: { announced: sql`excluded.announced` },
    })
    .run();
}

/**
 * Call this in the transaction that stores the last of the session's turns. Returns whether as many have arrived as the
 * server announced. Otherwise, the session counts as incomplete until the server has sent the same number again,
 * because a pull must first find out whether the server was restored. A deleted session may have lost turns in the
 * meantime, because the server purges them.
 */
export function markTurnsComplete(
  store: Rows,
  { sessionId, received }: { sessionId: string; received: number },
): boolean {
  const { db } = store;
  const announced = db.select().from(missingTurns).where(isOwn(store, sessionId)).get()?.announced ?? 0;
  if (received < announced && isSessionHere(store, sessionId)) {
    db.update(missingTurns).set({ announced: received }).where(isOwn(store, sessionId)).run();
    return false;
  }
  deleteNotes(store, [sessionId]);
  return true;
}

function deleteNotes(store: Rows, sessionIds: readonly string[]): void {
  const isNamed = sql`${missingTurns.sessionId} in (select value from json_each(${JSON.stringify(sessionIds)}))`;
  const { changes } = store.db
    .delete(missingTurns)
    .where(and(eq(missingTurns.userId, store.identity().userId), isNamed))
    .run();
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

/** Sessions with missing turns, most recently changed first; sessions whose own row is not here come last. */
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

/** The number of sessions with missing turns that the learner has not deleted. */
export const countMissingTurns = (store: Rows): number =>
  store.db
    .select({ total: count() })
    .from(missingTurns)
    .innerJoin(practiceHistory, eq(practiceHistory.id, missingTurns.sessionId))
    .where(and(eq(missingTurns.userId, store.identity().userId), isNull(practiceHistory.deletedAt)))
    .get()?.total ?? 0;

/** Makes the next pull read everything from the beginning, with all turns, on top of what is here. */
export const pullWhole = ({ db }: Pick<Store, 'db'>): void =>
  void db.update(syncState).set({ userCursor: 0, olderCursor: null, pullsTurnsLater: false }).run();

/**
 * Call this when everything has been read with all turns, or belongs to an account or a server that this device has
 * left.
 */
export const forgetMissingTurns = ({ db }: Pick<Store, 'db'>): void => void db.delete(missingTurns).run();
