/** The server's rows can come before the rows that they refer to: after a restore, going back in time, in an answer to a push. */
import type { Logger } from '../logger.ts';
import { isForeignKeyFailure, type Store } from '../store/index.ts';

/** One transaction; with rows that hang in the air if it must be, since what they refer to is still to come. */
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
    logger.warn({}, 'rows came that refer to rows which are still to come');
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
