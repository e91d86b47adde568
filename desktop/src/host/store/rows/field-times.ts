/** Returns when each field of a learner's row was set, including by edits that no server has confirmed. */
import {
  clocksAfterEdit,
  entities,
  type FieldClocks,
  formatHybridTime,
  initialClocks,
  latestTime,
} from '@parley/domain';
import { and, asc, eq, isNull, sql } from 'drizzle-orm';
import { outbox } from '../schema/device-tables.ts';
import type { LearnerKey } from '../schema/learner-keys.ts';
import type { Store } from '../store.ts';
import type { Values } from './row-values.ts';

type Change = Pick<typeof outbox.$inferSelect, 'op' | 'fields' | 'clocks' | 'at' | 'creates'>;

/** Prepares a statement for a table's unsent edits, and returns a function that reads those of one row. */
export function fieldTimesOf({ db }: Pick<Store, 'db'>, key: LearnerKey): (row: Values) => FieldClocks {
  const unsent = db
    .select({ op: outbox.op, fields: outbox.fields, clocks: outbox.clocks, at: outbox.at, creates: outbox.creates })
    .from(outbox)
    .where(
      and(
        eq(outbox.tableName, entities[key].name),
        eq(outbox.rowId, sql.placeholder('rowId')),
        isNull(outbox.parkedFor),
      ),
    )
    .orderBy(asc(outbox.position))
    .prepare();
  return (row) => {
    const changes: Change[] = unsent.all({ rowId: String(row[entities[key].key]) });
    const confirmed = (row['fieldClocks'] ?? {}) as FieldClocks;
    return orUpdateTime(
      key,
      row,
      changes.reduce((clocks, change) => timesAfter(key, clocks, change), confirmed),
    );
  };
}

function timesAfter(
  key: LearnerKey,
  clocks: FieldClocks,
  { op, fields, at, creates, clocks: own }: Change,
): FieldClocks {
  if (op === 'delete') return { ...clocks, deletedAt: at };
  if (op === 'restore')
    return Object.entries(own ?? {}).reduce<FieldClocks>(
      (times, [name, time]) => ({ ...times, [name]: latestTime([times[name], time]) ?? time }),
      clocks,
    );
  if (creates && Object.keys(clocks).length === 0) return initialClocks(at);
  return clocksAfterEdit(key, clocks, { names: Object.keys(fields), at });
}

/** Stands for the device in times derived from `updatedAt`, for exports from before times were kept by field. */
const NO_DEVICE = '00000000-0000-0000-0000-000000000000';

/**
 * A row without times counts as written completely when it was last updated. A profile is made by the app and not by the learner, so what
 * the learner never set has no time and gives way.
 */
export function orUpdateTime(key: LearnerKey, row: Values, clocks: FieldClocks): FieldClocks {
  const { updatedAt, deletedAt } = row;
  const timed =
    Object.keys(clocks).length > 0 || key === 'users' || !(updatedAt instanceof Date)
      ? clocks
      : initialClocks(timeOf(updatedAt));
  return deletedAt instanceof Date && timed['deletedAt'] === undefined
    ? { ...timed, deletedAt: timeOf(deletedAt) }
    : timed;
}

const timeOf = (at: Date): string => formatHybridTime({ ms: at.getTime(), counter: 0, deviceId: NO_DEVICE });
