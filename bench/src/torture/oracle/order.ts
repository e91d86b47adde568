/** Which of several edits may have won, whatever the order in which they arrived. */
import type { OracleEdit } from './edit.ts';

/** Clocks are taken for right when they differ by two seconds, and a request on its way counts as a difference of clocks. */
const MARGIN_MS = 5_000;

export interface Ordering {
  /** Whether `later` replaces `earlier` for sure. */
  replaces: (later: OracleEdit, earlier: OracleEdit) => boolean;
}

/** `edits`: all that were made of one row. After a restore of the server only times and the order on a device tell. */
export function orderingOf(edits: readonly OracleEdit[], { wasRestored }: { wasRestored: boolean }): Ordering {
  /** No other device wrote to the row between what the device had seen and the arrival of its edit. */
  const hadVeryRow = (edit: OracleEdit): boolean =>
    edits.every(
      (other) => other.device === edit.device || hasSeen(edit, other) || other.madeMs > (edit.settledMs ?? Infinity),
    );
  return {
    replaces: (later, earlier) => {
      if (later.device === earlier.device) return later.order > earlier.order;
      if (!wasRestored && hasSeen(later, earlier) && hadVeryRow(later)) return true;
      if (later.trueMs === null || earlier.trueMs === null) return false;
      return later.trueMs - earlier.trueMs > MARGIN_MS;
    },
  };
}

const hasSeen = (edit: OracleEdit, other: OracleEdit): boolean =>
  other.settledMs !== null && other.settledMs <= edit.seenMs;

export interface Write {
  edit: OracleEdit;
  value: unknown;
  isSure: boolean;
}

/** The writes of which one must have won; `undefined` among them: perhaps none has arrived. */
export function possibleWinners(writes: readonly Write[], { replaces }: Ordering): (Write | undefined)[] {
  const sure = writes.filter(({ isSure }) => isSure);
  const left = writes.filter((write) => sure.every((rival) => rival === write || !replaces(rival.edit, write.edit)));
  return sure.length > 0 ? left : [...left, undefined];
}
