/** Restores unsent changes from a damaged database, into the outbox and into their rows. */
import { entities, isLater } from '@parley/domain';
import { eq, sql } from 'drizzle-orm';
import { outbox, rejectedChanges } from '../schema/device-tables.ts';
import { LEARNER_KEYS } from '../schema/learner-keys.ts';
import { lastHybridTimeOf, setLastHybridTime } from '../rows/queue-change.ts';
import { pullWhole } from '../rows/missing-turns.ts';
import { rebuildWords } from '../rows/project-words.ts';
import type { Store } from '../store.ts';
import { applyToRow, updateSessionOf } from '../rows/apply-to-row.ts';
import { restoreRejections } from './restore-rejections.ts';
import type { Salvaged, UnsentChange } from './salvage.ts';

/**
 * Restores the changes with their original times. If a row to which they refer was lost, it returns with the next pull
 * after the server has the change.
 */
export function restoreUnsentChanges(store: Store, salvaged: Salvaged): void {
  const { identity, lastHybridTime, unsent } = salvaged;
  const { userId } = store.identity();
  store.transaction(() => {
    restoreRejections(store, salvaged.rejected);
    for (const change of unsent) {
      const owner = change.parkedFor ?? identity?.userId ?? userId;
      restoreUnsentChange(store, { ...change, parkedFor: owner === userId ? null : owner });
    }
    // The next edit must be later than every change this device has made, including those missing from the backup.
    const known = lastHybridTimeOf(store);
    const latest = [known, lastHybridTime, ...unsent.map(({ at }) => at)].reduce<string | null>(
      (last, at) => (at !== null && isLater(at, last) ? at : last),
      null,
    );
    if (latest !== null) setLastHybridTime(store, latest);
    rebuildWords(store);
  });
}

/**
 * Deletes changes in the backup that the server has already answered. If they were sent again, a change from a clock
 * that was ahead could count as new and overwrite later edits, and a change that was rejected before the backup may
 * have been sent or deleted since. Call this before anything else is queued.
 */
export function deleteAnsweredChanges(store: Store, salvaged: Salvaged): void {
  const { identity, unsent, rejected, isComplete, areRejectionsComplete } = salvaged;
  const own = store.identity();
  if (identity?.deviceId !== own.deviceId || identity.userId !== own.userId) return;
  const unsentIds = JSON.stringify(unsent.map(({ id }) => id));
  const rejectedIds = JSON.stringify(rejected.map(({ id }) => id));
  const { changes } = store.db
    .delete(outbox)
    .where(
      isComplete
        ? sql`${outbox.mutationId} not in (select value from json_each(${unsentIds}))`
        : sql`${outbox.mutationId} in (select value from json_each(${rejectedIds}))`,
    )
    .run();
  if (areRejectionsComplete)
    store.db
      .delete(rejectedChanges)
      .where(sql`${rejectedChanges.id} not in (select value from json_each(${rejectedIds}))`)
      .run();
  // The rows still show these changes, but the server may have kept its own values, so they are pulled again.
  if (changes > 0) pullWhole(store);
}

function restoreUnsentChange(store: Store, change: UnsentChange): void {
  const key = LEARNER_KEYS.find((each) => entities[each].name === change.table);
  if (key === undefined) return;
  const { id: mutationId, table: tableName, rowId, op, fields, creates, at, base, parkedFor } = change;
  const clocks = change.clocks ?? null;
  const queued = store.db
    .insert(outbox)
    .values({
      mutationId,
      tableName,
      rowId,
      op,
      fields,
      creates,
      at,
      base,
      clocks,
      parkedFor,
      deviceSeq: null,
      state: 'waiting',
    })
    .onConflictDoNothing()
    .run();
  if (queued.changes === 0 || parkedFor !== null) return;
  // The backup may lack rows that the server has, so everything is pulled again.
  pullWhole(store);
  // If the row is missing here, later edits do not know of this change, so none of them may absorb its fields.
  if (!applyToRow(store, key, change))
    store.db.update(outbox).set({ creates: true }).where(eq(outbox.mutationId, mutationId)).run();
  updateSessionOf(store, key, rowId);
}
