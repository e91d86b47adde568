/** Makes what was said searchable: soon after it was stored, a few sessions at a time, and all that is left before a search. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Logger } from '../logger.ts';
import type { Store } from '../store/index.ts';

export interface SearchIndex {
  /** Now, all of it. */
  catchUp(): void;
  whenIdle(): Promise<void>;
  close(): void;
}

/** Below ten milliseconds. */
const SESSIONS_AT_ONCE = 200;
/** While a conversation goes on, or a history comes in, there is always a next change. */
const AFTER_CHANGE_MS = 300;

export function createSearchIndex({ store, logger }: { store: Store; logger: Logger }): SearchIndex {
  const add = store.sqlite.prepare<[number]>(
    `INSERT INTO spoken_words (session_id, spoken)
     SELECT h.id, coalesce((SELECT group_concat(value ->> '$.text', char(10)) FROM json_each(h.entire_conversation)), '')
     FROM practice_history h WHERE NOT EXISTS (SELECT 1 FROM spoken_words s WHERE s.session_id = h.id) LIMIT ?`,
  );
  let isBehind = true;
  let isClosed = false;
  let timer: NodeJS.Timeout | null = null;
  let underWay: Promise<void> = Promise.resolve();

  function addSome(): void {
    isBehind = add.run(SESSIONS_AT_ONCE).changes === SESSIONS_AT_ONCE;
  }

  async function catchUpSlowly(): Promise<void> {
    while (isBehind && !isClosed) {
      addSome();
      await nextTurn();
    }
  }

  function soon(): void {
    if (timer !== null) clearTimeout(timer);
    timer = setTimeout(() => {
      // What could not be added now, on a full disk, is added with the next change or search.
      underWay = underWay
        .then(catchUpSlowly)
        .catch((error: unknown) => logger.warn({ err: error }, 'what was said is not searchable yet'));
    }, AFTER_CHANGE_MS);
    timer.unref();
  }

  const unsubscribe = store.changes.subscribe((tables) => {
    if (!tables.includes('practice_history')) return;
    isBehind = true;
    soon();
  });
  soon();

  return {
    catchUp() {
      while (isBehind) addSome();
    },
    async whenIdle() {
      await underWay;
      await catchUpSlowly();
    },
    close() {
      isClosed = true;
      unsubscribe();
      if (timer !== null) clearTimeout(timer);
    },
  };
}
