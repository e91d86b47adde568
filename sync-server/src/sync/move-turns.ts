/** Conversations that were stored in one field become rows of turns: once for all, and again for what an older server has added since. */
import { and, asc, gte, type SQL, sql } from 'drizzle-orm';
import { lockLearner, nextVersion } from '../account/index.ts';
import type { Database } from '../db/client.ts';
import { serverState, tables } from '../db/tables.ts';
import { Batch } from './batch.ts';
import { loadTurns } from './load-batch.ts';
import { moveStoredTurns, withUnmovedTurns } from './project-sessions.ts';

export interface MoveTurnsParts {
  db: Database;
  now: () => Date;
  /** Other devices can see what was written. */
  changed: (userId: string, version: number) => void;
}

/** So many are asked about at once. */
const SESSIONS_A_PAGE = 500;
/** So many are in memory at once: each may be a few megabytes. */
const SESSIONS_A_BATCH = 20;
/** Servers of two versions may be up together while one takes the place of the other. */
const OVERLAP_MS = 24 * 3_600_000;

/** Sessions whose turns were moved. Sessions that were not written since the last time are not looked at. */
export async function moveTurns(parts: MoveTurnsParts, signal?: AbortSignal): Promise<number> {
  const { db } = parts;
  const startedAt = parts.now();
  const [state] = await db.select().from(serverState);
  const movedAt = state?.turnsMovedAt ?? null;
  const since = movedAt === null ? null : new Date(movedAt.getTime() - OVERLAP_MS);
  let count = 0;
  for await (const { userId, ids } of unmovedSessions(db, since))
    for (let from = 0; from < ids.length; from += SESSIONS_A_BATCH) {
      if (signal?.aborted === true) return count;
      count += await moveSessions(parts, userId, ids.slice(from, from + SESSIONS_A_BATCH));
    }
  await db.update(serverState).set({ turnsMovedAt: startedAt });
  return count;
}

/** A page of sessions at a time, by learner. */
async function* unmovedSessions(db: Database, since: Date | null): AsyncGenerator<{ userId: string; ids: string[] }> {
  const { id, userId, updatedAt, entireConversation } = tables.practiceHistory;
  let after: { userId: string; id: string } | null = null;
  for (;;) {
    const isBehind: SQL | undefined =
      after === null ? undefined : sql`(${userId}, ${id}) > (${after.userId}, ${after.id})`;
    const page: { id: string; userId: string }[] = await db
      .select({ id, userId })
      .from(tables.practiceHistory)
      .where(
        and(isBehind, since === null ? undefined : gte(updatedAt, since), sql`${entireConversation} <> '[]'::jsonb`),
      )
      .orderBy(asc(userId), asc(id))
      .limit(SESSIONS_A_PAGE);
    after = page.at(-1) ?? null;
    for (const [owner, sessions] of Map.groupBy(page, (session) => session.userId))
      yield {
        userId: owner,
        ids: await withUnmovedTurns(
          db,
          sessions.map((session) => session.id),
        ),
      };
    if (page.length < SESSIONS_A_PAGE) return;
  }
}

/** Under the lock of the learner's scope, as a push; a new version if there was something to move. */
function moveSessions({ db, now, changed }: MoveTurnsParts, userId: string, sessionIds: string[]): Promise<number> {
  return db
    .transaction(async (tx) => {
      if (!(await lockLearner(tx, userId))) return null;
      const batch = new Batch(new Map());
      await loadTurns(tx, { batch, sessionIds, userId });
      const version = (await nextVersion(tx, userId)) ?? 0;
      const moved = await moveStoredTurns(tx, { batch, sessionIds, stamp: { userId, at: now(), version } });
      await batch.store(tx);
      return { moved, version };
    })
    .then((done) => {
      if (done !== null && done.moved > 0) changed(userId, done.version);
      return done?.moved ?? 0;
    });
}
