/** Checkpoints the database after rows have arrived, while nothing waits for it. */
import { checkpoint, type Store } from '../store/index.ts';

export interface Checkpointer {
  onRowsStored(): void;
  /** Call this when no other request follows. */
  runSoon(): void;
}

export function createCheckpointer(store: Store, { isClosed }: { isClosed: () => boolean }): Checkpointer {
  let isDue = false;

  function run(): void {
    if (isClosed() || !isDue) return;
    isDue = false;
    checkpoint(store.sqlite);
  }

  return {
    onRowsStored() {
      isDue = true;
    },
    runSoon() {
      if (isDue) setImmediate(run);
    },
  };
}
