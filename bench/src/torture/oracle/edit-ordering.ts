/** Determines which of several edits may have won, whatever the order in which they arrived. */
import type { OracleEdit } from './oracle-edit.ts';

/** The server tolerates two seconds of clock difference, and a slow request looks like a clock difference. */
const CLOCK_TOLERANCE_MS = 5_000;

export interface EditOrdering {
  /** True when `later` certainly replaces `earlier`. */
  replaces: (later: OracleEdit, earlier: OracleEdit) => boolean;
}

/** `edits` are all edits of one row. After a restore of the server, only times and the order on a device count. */
export function createEditOrdering(
  edits: readonly OracleEdit[],
  { wasRestored }: { wasRestored: boolean },
): EditOrdering {
  /** True when no other device wrote to the row between what the device had seen and the arrival of its edit. */
  const sawLatestRow = (edit: OracleEdit): boolean =>
    edits.every(
      (other) => other.device === edit.device || hasSeen(edit, other) || other.madeMs > (edit.settledMs ?? Infinity),
    );
  return {
    replaces: (later, earlier) => {
      if (later.device === earlier.device) return later.order > earlier.order;
      if (!wasRestored && later.hasBase && hasSeen(later, earlier) && sawLatestRow(later)) return true;
      if (later.trueMs === null || earlier.trueMs === null) return false;
      return later.trueMs - earlier.trueMs > CLOCK_TOLERANCE_MS;
    },
  };
}

const hasSeen = (edit: OracleEdit, other: OracleEdit): boolean =>
  other.settledMs !== null && other.settledMs <= edit.seenMs;

export interface FieldWrite {
  edit: OracleEdit;
  value: unknown;
  isSure: boolean;
}

/** Returns the writes of which one must have won; `undefined` means that possibly none has arrived. */
export function possibleWinners(writes: readonly FieldWrite[], { replaces }: EditOrdering): (FieldWrite | undefined)[] {
  const sure = writes.filter(({ isSure }) => isSure);
  const left = writes.filter((write) => sure.every((rival) => rival === write || !replaces(rival.edit, write.edit)));
  return sure.length > 0 ? left : [...left, undefined];
}
