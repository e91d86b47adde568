/** Plans a device's copy of a row for a restored server: each field counts as of the time at which it was set. */
import {
  type ClockedRow,
  clampHybridTime,
  initialClocks,
  entities,
  type EntityKey,
  type FieldClocks,
  HYBRID_TIME,
  isDeletedBy,
  mergeCopies,
  haveSameValues,
} from '@parley/domain';
import {
  completeRow,
  type RowPlan,
  requireWithinLimits,
  writeStamp,
  effectiveTime,
  type WriteContext,
} from '../push/row-plan.ts';
import { MutationRefused, type ParsedChange, type Values } from '../push/parse-change.ts';
import { toReadableRow } from '../rows/readable-row.ts';

/** The outcome is never exact, so that the response includes the resulting row. */
export function planRestore(change: ParsedChange, current: Values | undefined, write: WriteContext): RowPlan {
  const { key, mutation, fields } = change;
  const clocks = restoredClocks(change, write);
  const time = mutation.at;
  if (current === undefined) {
    const deletedAt = isDeletedBy(clocks) ? write.at : null;
    return { row: { ...completeRow(change, write), fieldClocks: clocks, deletedAt }, isExact: false, time };
  }
  const ours = toReadableRow(key, current, Object.keys(fields));
  const merged = mergeCopies(key, ours, { values: fields, clocks });
  if (isSameState(key, { ...ours, isDeleted: current['deletedAt'] !== null }, merged))
    return { row: null, isExact: false, time };
  const changed = Object.fromEntries(
    Object.entries(merged.values).filter(([name, value]) => value !== ours.values[name]),
  );
  requireWithinLimits(key, changed, fields);
  for (const [name, entries] of ours.unreadable) {
    const list = merged.values[name];
    changed[name] = [...(Array.isArray(list) ? list : []), ...entries];
  }
  const deletedAt = merged.isDeleted ? (current['deletedAt'] ?? write.at) : null;
  return {
    row: { ...current, ...changed, ...writeStamp(write), fieldClocks: merged.clocks, deletedAt },
    isExact: false,
    time,
  };
}

type State = ClockedRow & { isDeleted: boolean };

const isSameState = (key: EntityKey, one: State, other: State): boolean =>
  one.isDeleted === other.isDeleted &&
  haveSameValues(Object.keys(entities[key].fields), one.values, other.values) &&
  haveSameValues(new Set([...Object.keys(one.clocks), ...Object.keys(other.clocks)]), one.clocks, other.clocks);

/** Reads the device's field times, limited to shortly after the server's clock. */
function restoredClocks({ key, mutation }: ParsedChange, write: WriteContext): FieldClocks {
  const { clocks = {} } = mutation;
  const known = new Set([...Object.keys(entities[key].fields), '*']);
  if (!Object.values(clocks).every((time) => HYBRID_TIME.test(time)))
    throw new MutationRefused('invalid_value', 'clocks');
  const told = Object.fromEntries(Object.entries(clocks).filter(([name]) => known.has(name)));
  const isTimed = Object.keys(told).some((name) => name !== 'deletedAt');
  // When a row has no field times, the change's own time applies to all fields.
  const given = isTimed ? told : { ...initialClocks(effectiveTime(mutation, write)), ...told };
  return Object.fromEntries(
    Object.entries(given).map(([name, time]) => [name, clampHybridTime(time, write.at.getTime())]),
  );
}
