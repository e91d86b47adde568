/** A device's copy of a row comes to a server that was put back in time: each field counts as of the time at which it was set. */
import {
  type ClockedRow,
  clampHybridTime,
  clocksOfCreation,
  entities,
  type EntityKey,
  type FieldClocks,
  HYBRID_TIME,
  isDeletedBy,
  mergeStates,
  saySame,
} from '@parley/domain';
import { completeRow, type Plan, requireWithinLimits, stampOf, timeOf, type Write } from './plan.ts';
import { MutationRefused, type ReadChange, type Values } from './read-change.ts';
import { readableRow } from './stored-row.ts';

/** Its outcome is never exact, so that the row comes with the answer, and with it what became of it. */
export function planRestore(change: ReadChange, current: Values | undefined, write: Write): Plan {
  const { key, mutation, fields } = change;
  const clocks = restoredClocks(change, write);
  const time = mutation.at;
  if (current === undefined) {
    const deletedAt = isDeletedBy(clocks) ? write.at : null;
    return { row: { ...completeRow(change, write), fieldClocks: clocks, deletedAt }, isExact: false, time };
  }
  const ours = readableRow(key, current, Object.keys(fields));
  const merged = mergeStates(key, ours, { values: fields, clocks });
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
    row: { ...current, ...changed, ...stampOf(write), fieldClocks: merged.clocks, deletedAt },
    isExact: false,
    time,
  };
}

type State = ClockedRow & { isDeleted: boolean };

const isSameState = (key: EntityKey, one: State, other: State): boolean =>
  one.isDeleted === other.isDeleted &&
  saySame(Object.keys(entities[key].fields), one.values, other.values) &&
  saySame(new Set([...Object.keys(one.clocks), ...Object.keys(other.clocks)]), one.clocks, other.clocks);

/** The device's times of its fields, none of them far ahead of the server's clock. */
function restoredClocks({ key, mutation }: ReadChange, write: Write): FieldClocks {
  const { clocks = {} } = mutation;
  const known = new Set([...Object.keys(entities[key].fields), '*']);
  if (!Object.values(clocks).every((time) => HYBRID_TIME.test(time)))
    throw new MutationRefused('invalid_value', 'clocks');
  const told = Object.fromEntries(Object.entries(clocks).filter(([name]) => known.has(name)));
  const isTimed = Object.keys(told).some((name) => name !== 'deletedAt');
  // For a row whose field times were not kept, the change's own time is all there is.
  const given = isTimed ? told : { ...clocksOfCreation(timeOf(mutation.at, write)), ...told };
  return Object.fromEntries(
    Object.entries(given).map(([name, time]) => [name, clampHybridTime(time, write.at.getTime())]),
  );
}
