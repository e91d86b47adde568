/** Keeps the full-text index up to date: in small batches after each change, and completely before a search. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Logger } from '../logger.ts';
import type { Store } from '../store/index.ts';

export interface SearchIndex {
  /** Indexes everything that is missing before it returns. */
  catchUp(): void;
  whenIdle(): Promise<void>;
  close(): void;
}

/** Indexing this many sessions takes less than ten milliseconds. */
const BATCH_SIZE = 200;
/** A running session or a first pull changes rows continually, so indexing waits for a pause. */
const DEBOUNCE_MS = 300;

export function createSearchIndex({ store, logger }: { store: Store; logger: Logger }): SearchIndex {
  const add = store.sqlite.prepare<[number]>(
    `INSERT INTO spoken_words (session_id, spoken)
     SELECT h.id, coalesce((SELECT group_concat(value ->> '$.text', char(10)) FROM json_each(h.entire_conversation)), '')
     FROM practice_history h WHERE NOT EXISTS (SELECT 1 FROM spoken_words s WHERE s.session_id = h.id) LIMIT ?`,
  );
  let isBehind = true;
  let isClosed = false;
  let timer: NodeJS.Timeout | null = null;
  let running: Promise<void> = Promise.resolve();

  function indexBatch(): void {
    isBehind = add.run(BATCH_SIZE).changes === BATCH_SIZE;
  }

  async function catchUpInBackground(): Promise<void> {
    while (isBehind && !isClosed) {
      indexBatch();
      await nextTurn();
    }
  }

  function scheduleCatchUp(): void {
    if (timer !== null) clearTimeout(timer);
    timer = setTimeout(() => {
      // If indexing fails, for example on a full disk, the next change or search retries it.
      running = running
        .then(catchUpInBackground)
        .catch((error: unknown) => logger.warn({ err: error }, 'search_index_update_failed'));
    }, DEBOUNCE_MS);
    timer.unref();
  }

  const unsubscribe = store.changes.subscribe((tables) => {
    if (!tables.includes('practice_history')) return;
    isBehind = true;
    scheduleCatchUp();
  });
  scheduleCatchUp();

  return {
    catchUp() {
      while (isBehind) indexBatch();
    },
    async whenIdle() {
      await running;
      await catchUpInBackground();
    },
    close() {
      isClosed = true;
      unsubscribe();
      if (timer !== null) clearTimeout(timer);
    },
  };
}
