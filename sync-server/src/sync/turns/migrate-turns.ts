/** Migrates conversations stored in one field to turn rows, including those that an older server adds later. */
import { and, asc, gte, type SQL, sql } from 'drizzle-orm';
import { lockLearner, nextVersion } from '../../account/index.ts';
import type { Database } from '../../db/client.ts';
import { serverState, tables } from '../../db/tables.ts';
import { Batch } from '../push/batch.ts';
import { loadTurns } from '../push/load-batch.ts';
import { inOwnTransaction } from '../push/statements/merged-statements.ts';
import { migrateStoredTurns, findSessionsToMigrate } from './project-conversations.ts';

export interface TurnMigrationParts {
  db: Database;
  now: () => Date;
  /** Called after the transaction, when other devices can see what it wrote. */
  onChanged: (userId: string, version: number) => void;
}

/** Sessions checked per query. */
const SESSIONS_PER_PAGE = 500;
/** Sessions in memory at once; each may have a few megabytes. */
const SESSIONS_PER_BATCH = 20;
/** During a deployment, servers of two versions may run at the same time. */
const ROLLOUT_OVERLAP_MS = 24 * 3_600_000;

/** Returns how many sessions were migrated. Sessions not written since the last run are skipped. */
export async function migrateTurns(parts: TurnMigrationParts, signal?: AbortSignal): Promise<number> {
  const { db } = parts;
  const startedAt = parts.now();
  const [state] = await db.select().from(serverState);
  const movedAt = state?.turnsMovedAt ?? null;
  const since = movedAt === null ? null : new Date(movedAt.getTime() - ROLLOUT_OVERLAP_MS);
  let count = 0;
  for await (const { userId, ids } of sessionsToMigrate(db, since))
    for (let from = 0; from < ids.length; from += SESSIONS_PER_BATCH) {
      if (signal?.aborted === true) return count;
      count += await migrateSessions(parts, userId, ids.slice(from, from + SESSIONS_PER_BATCH));
    }
  await db.update(serverState).set({ turnsMovedAt: startedAt });
  return count;
}

/** Yields one page of sessions at a time, grouped by learner. */
async function* sessionsToMigrate(db: Database, since: Date | null): AsyncGenerator<{ userId: string; ids: string[] }> {
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
      .limit(SESSIONS_PER_PAGE);
    after = page.at(-1) ?? null;
    for (const [owner, sessions] of Map.groupBy(page, (session) => session.userId))
      yield {
        userId: owner,
        ids: await findSessionsToMigrate(
          db,
          sessions.map((session) => session.id),
        ),
      };
    if (page.length < SESSIONS_PER_PAGE) return;
  }
}

/** Locks the learner's scope, as a push does, and uses a new version when something is migrated. */
function migrateSessions(
  { db, now, onChanged }: TurnMigrationParts,
  userId: string,
  sessionIds: string[],
): Promise<number> {
  return db
    .transaction(async (tx) => {
      if (!(await lockLearner(tx, userId))) return null;
      const transaction = inOwnTransaction(tx);
      const batch = new Batch(new Map(), userId);
      await loadTurns(transaction, { batch, sessionIds, userId });
      const version = (await nextVersion(tx, userId)) ?? 0;
      const moved = await migrateStoredTurns(transaction, { batch, sessionIds, stamp: { userId, at: now(), version } });
      await batch.store(transaction);
      return { moved, version };
    })
    .then((done) => {
      if (done !== null && done.moved > 0) onChanged(userId, done.version);
      return done?.moved ?? 0;
    });
}
