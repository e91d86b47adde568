/** Restores rejected changes from a damaged database, into the list of rejections and into their rows. */
import { entities } from '@parley/domain';
import { pullWhole } from '../rows/missing-turns.ts';
import { rejectedChanges } from '../schema/device-tables.ts';
import { LEARNER_KEYS } from '../schema/learner-keys.ts';
import type { Store } from '../store.ts';
import { applyToRow, updateSessionOf } from '../rows/apply-to-row.ts';
import type { Rejection } from './salvage.ts';

/** Call this inside a transaction. */
export function restoreRejections(store: Store, rejected: readonly Rejection[]): void {
  const { userId } = store.identity();
  const rowOf = ({ tableName, rowId }: Rejection): string => `${tableName} ${rowId}`;
  const createdHere = new Set(
    rejected.filter(({ change }) => change !== null && change.creates && change.op !== 'delete').map(rowOf),
  );
  for (const rejection of rejected.toSorted(byTime)) {
    const { changes } = store.db.insert(rejectedChanges).values(rejection).onConflictDoNothing().run();
    if (changes === 0) continue;
    store.markChanged('rejected_changes');
    if (rejection.userId !== userId) continue;
    // If the server has the row, the row's state is pulled.
    pullWhole(store);
    const key = LEARNER_KEYS.find((each) => entities[each].name === rejection.tableName);
    const { change, fields, rowId } = rejection;
    if (key === undefined || change === null || !createdHere.has(rowOf(rejection))) continue;
    const { clocks, ...rest } = change;
    if (applyToRow(store, key, { ...rest, rowId, fields, ...(clocks && { clocks }) }))
      updateSessionOf(store, key, rowId);
  }
}

const byTime = (a: Rejection, b: Rejection): number => ((a.change?.at ?? '') < (b.change?.at ?? '') ? -1 : 1);
