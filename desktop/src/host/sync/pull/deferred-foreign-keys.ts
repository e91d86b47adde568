/**
 * Server rows may arrive before the rows that they refer to, for example after a restore or while older rows are
 * pulled.
 */
import type { Logger } from '../../logger.ts';
import { isForeignKeyFailure, type Store } from '../../store/index.ts';

/** Stores rows in one transaction, without foreign keys if a referenced row is still to come. */
export function storeServerRows<Value>({ store, logger }: { store: Store; logger: Logger }, work: () => Value): Value {
  const run = (): Value =>
    store.transaction(() => {
      store.sqlite.pragma('defer_foreign_keys = ON');
      return work();
    });
  try {
    return run();
  } catch (error) {
    if (!isForeignKeyFailure(error)) throw error;
    logger.warn({}, 'rows_stored_before_their_references');
    return withoutForeignKeys(store, run);
  }
}

export function withoutForeignKeys<Value>(store: Store, work: () => Value): Value {
  store.sqlite.pragma('foreign_keys = OFF');
  try {
    return work();
  } finally {
    store.sqlite.pragma('foreign_keys = ON');
  }
}
