/** One change of one row, decided without a database: whose it is, which fields it may touch, how it meets what is there. */
import { clocksOfCreation, entities, isDeletedBy, isLater, mergeEdit } from '@parley/domain';
import { requireDerivedId, requireOwn } from './own-rows.ts';
import { planRestore } from './plan-restore.ts';
import { completeRow, type Plan, requireWithinLimits, stampOf, timeOf, type Write } from './plan.ts';
import { MutationRefused, type ReadChange, type Values } from './read-change.ts';
import { readableRow, readClocks } from './stored-row.ts';

/** The row as the server holds it, `fieldClocks` included. */
export interface CurrentRow {
  row: Values;
  /** Before this push. */
  versionBefore: number | undefined;
}

const LOST: Plan = { row: null, isExact: false, time: null };

/** `current` is undefined when the server holds no such row. Throws `MutationRefused`. */
export function planMutation(change: ReadChange, current: CurrentRow | undefined, write: Write): Plan {
  const { key, mutation } = change;
  requireOwn(change, current?.row, write.userId);
  // An account does not end by a change of a row.
  if (key === 'users' && mutation.op === 'delete') throw new MutationRefused('read_only', null);
  const plan =
    mutation.op === 'restore'
      ? planRestore(change, current?.row, write)
      : current === undefined
        ? planCreation(change, write)
        : planEdit(change, current, write);
  if (plan.row !== null && mutation.op !== 'delete')
    requireDerivedId(key, plan.row, { isNew: current === undefined, protocol: write.protocol });
  return plan;
}

function planCreation(change: ReadChange, write: Write): Plan {
  const { mutation } = change;
  // A deletion of a row that never came here has nothing left to delete.
  if (mutation.op === 'delete') return { row: null, isExact: true, time: mutation.at };
  const time = timeOf(mutation.at, write);
  const row = { ...completeRow(change, write), fieldClocks: clocksOfCreation(time) };
  return { row, isExact: true, time };
}

function planEdit(change: ReadChange, { row: current, versionBefore }: CurrentRow, write: Write): Plan {
  const { key, mutation, fields } = change;
  const { op, base, at } = mutation;
  const entity = entities[key];
  const isDeleted = current['deletedAt'] !== null;
  if (op === 'upsert' && Object.keys(fields).length === 0) return planTurnsAlone(change, current, write);
  if (op === 'upsert' && entity.merge === 'append_only' && !isDeleted) return LOST;
  const { values, clocks, unreadable } = readableRow(key, current, Object.keys(fields));
  const merged = mergeEdit(
    key,
    { values, clocks },
    {
      op: op === 'delete' ? 'delete' : 'upsert',
      fields,
      at: timeOf(at, write),
      hasSeenRow: base > 0 && base === versionBefore,
    },
  );
  if (merged === null) return LOST;
  requireWithinLimits(key, merged.changes, fields);
  const changes: Values = { ...merged.changes };
  for (const [name, entries] of unreadable)
    if (Array.isArray(changes[name])) changes[name] = [...changes[name], ...entries];
  const deletedAt = op === 'delete' ? write.at : isDeleted && isDeletedBy(merged.clocks) ? current['deletedAt'] : null;
  return {
    row: { ...current, ...changes, ...stampOf(write), fieldClocks: merged.clocks, deletedAt },
    isExact: merged.isExact && (unreadable.size === 0 || op === 'delete'),
    time: merged.at,
  };
}

/** A session of which only the conversation changed: that is computed from its turns, and the row is merely stamped. */
function planTurnsAlone({ mutation, conversation }: ReadChange, current: Values, write: Write): Plan {
  if (conversation === null) return LOST;
  const time = timeOf(mutation.at, write);
  const clocks = readClocks(current['fieldClocks']);
  const isDeleted = current['deletedAt'] !== null;
  if (isDeleted && !isLater(time, clocks['deletedAt'] ?? null)) return LOST;
  const fieldClocks = isDeleted ? { ...clocks, entireConversation: time } : clocks;
  return { row: { ...current, ...stampOf(write), fieldClocks, deletedAt: null }, isExact: !isDeleted, time };
}
