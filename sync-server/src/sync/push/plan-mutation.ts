/** Plans one change of one row without a database: ownership, allowed fields and the merge with the current row. */
import { initialClocks, entities, isDeletedBy, isLater, mergeEdit } from '@parley/domain';
import { requireDerivedId, requireOwn } from './row-ownership.ts';
import { planRestore } from '../restore/plan-restore.ts';
import {
  completeRow,
  type RowPlan,
  requireWithinLimits,
  writeStamp,
  effectiveTime,
  type WriteContext,
} from './row-plan.ts';
import { MutationRefused, type ParsedChange, type Values } from './parse-change.ts';
import { toReadableRow, parseClocks } from '../rows/readable-row.ts';

/** The row as the server has it, including `fieldClocks`. */
export interface CurrentRow {
  row: Values;
  /** The row's version before this push. */
  versionBefore: number | undefined;
}

const LOST: RowPlan = { row: null, isExact: false, time: null };

/** `current` is undefined when the row does not exist. Throws `MutationRefused`. */
export function planMutation(change: ParsedChange, current: CurrentRow | undefined, write: WriteContext): RowPlan {
  const { key, mutation } = change;
  requireOwn(change, current?.row, write.userId);
  // An account is never deleted by a row change.
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

function planCreation(change: ParsedChange, write: WriteContext): RowPlan {
  const { mutation } = change;
  // The row never reached the server, so there is nothing to delete.
  if (mutation.op === 'delete') return { row: null, isExact: true, time: mutation.at };
  const time = effectiveTime(mutation, write);
  const row = { ...completeRow(change, write), fieldClocks: initialClocks(time) };
  return { row, isExact: true, time };
}

function planEdit(change: ParsedChange, { row: current, versionBefore }: CurrentRow, write: WriteContext): RowPlan {
  const { key, mutation, fields } = change;
  const { op, base } = mutation;
  const entity = entities[key];
  const isDeleted = current['deletedAt'] !== null;
  if (op === 'upsert' && Object.keys(fields).length === 0) return planTurnsOnly(change, current, write);
  if (op === 'upsert' && entity.merge === 'append_only' && !isDeleted) return LOST;
  const { values, clocks, unreadable } = toReadableRow(key, current, Object.keys(fields));
  const merged = mergeEdit(
    key,
    { values, clocks },
    {
      op: op === 'delete' ? 'delete' : 'upsert',
      fields,
      at: effectiveTime(mutation, write),
      hasSeenRow: base > 0 && base === versionBefore,
      isNewest: write.order.newest.has(mutation.id),
    },
  );
  if (merged === null) return LOST;
  requireWithinLimits(key, merged.changes, fields);
  const changes: Values = { ...merged.changes };
  for (const [name, entries] of unreadable)
    if (Array.isArray(changes[name])) changes[name] = [...changes[name], ...entries];
  const deletedAt = op === 'delete' ? write.at : isDeleted && isDeletedBy(merged.clocks) ? current['deletedAt'] : null;
  return {
    row: { ...current, ...changes, ...writeStamp(write), fieldClocks: merged.clocks, deletedAt },
    isExact: merged.isExact && (unreadable.size === 0 || op === 'delete'),
    time: merged.at,
  };
}

/** Plans a session of which only the conversation changed: it is computed from the turns, so the row gets only a new version. */
function planTurnsOnly({ mutation, conversation }: ParsedChange, current: Values, write: WriteContext): RowPlan {
  if (conversation === null) return LOST;
  const time = effectiveTime(mutation, write);
  const clocks = parseClocks(current['fieldClocks']);
  const isDeleted = current['deletedAt'] !== null;
  if (isDeleted && !isLater(time, clocks['deletedAt'] ?? null)) return LOST;
  const fieldClocks = isDeleted ? { ...clocks, entireConversation: time } : clocks;
  return { row: { ...current, ...writeStamp(write), fieldClocks, deletedAt: null }, isExact: !isDeleted, time };
}
