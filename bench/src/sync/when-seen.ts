/** Waits until a device's store shows a row as it was changed elsewhere; looks whenever the product says that something changed. */
import type { RowDigest } from './rows.ts';

export interface WhenSeen {
  wait: (row: RowDigest) => Promise<void>;
  /** Something may have changed. */
  look: () => void;
}

export function whenSeen(summaryOf: (id: string) => string | undefined | Promise<string | undefined>): WhenSeen {
  const waiting = new Map<RowDigest, () => void>();
  async function lookAt(row: RowDigest, resolve: () => void): Promise<void> {
    if ((await summaryOf(row.id)) !== row.summary) return;
    waiting.delete(row);
    resolve();
  }
  const look = (): void => {
    for (const [row, resolve] of waiting) void lookAt(row, resolve);
  };
  return {
    wait: (row) =>
      new Promise((resolve) => {
        waiting.set(row, resolve);
        look();
      }),
    look,
  };
}
