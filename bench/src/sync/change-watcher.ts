/** Waits until a store shows a row as it was changed elsewhere, and checks again on each change notification. */
import type { RowDigest } from './workload-rows.ts';

export interface ChangeWatcher {
  waitFor: (row: RowDigest) => Promise<void>;
  /** Checks all awaited rows, because something may have changed. */
  check: () => void;
}

export function createChangeWatcher(
  summaryOf: (id: string) => string | undefined | Promise<string | undefined>,
): ChangeWatcher {
  const waiting = new Map<RowDigest, () => void>();
  async function checkRow(row: RowDigest, resolve: () => void): Promise<void> {
    if ((await summaryOf(row.id)) !== row.summary) return;
    waiting.delete(row);
    resolve();
  }
  const check = (): void => {
    for (const [row, resolve] of waiting) void checkRow(row, resolve);
  };
  return {
    waitFor: (row) =>
      new Promise((resolve) => {
        waiting.set(row, resolve);
        check();
      }),
    check,
  };
}
