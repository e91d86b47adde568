/**
 * The assignments of the learner's classes. The server's last response is kept on this device, so that they are shown
 * offline.
 */
import type { Assignment } from '@parley/contract';
import { eq, ne } from 'drizzle-orm';
import { isDeepStrictEqual } from 'node:util';
import { knownAssignments, type Store } from '../store/index.ts';
import type { Sync } from '../sync/index.ts';

export interface Assignments {
  /** The server's last response. */
  list(): readonly Assignment[];
  /** Asks the server, unless it was asked a moment ago. */
  refresh(): Promise<void>;
  /** Removes the stored response when the learner signs out. */
  forget(): void;
}

const FRESH_FOR_MS = 30_000;

export function createAssignments({ store, sync }: { store: Store; sync: Pick<Sync, 'request'> }): Assignments {
  const { db } = store;
  let asked: { userId: string; atMs: number } | null = null;

  const list = (): Assignment[] =>
    db
      .select({ assignments: knownAssignments.assignments })
      .from(knownAssignments)
      .where(eq(knownAssignments.userId, store.identity().userId))
      .get()?.assignments ?? [];

  function keep(userId: string, assignments: Assignment[]): void {
    const hasChanged = !isDeepStrictEqual(list(), assignments);
    const stored = { assignments, at: store.clock.now() };
    store.transaction(() => {
      db.delete(knownAssignments).where(ne(knownAssignments.userId, userId)).run();
      db.insert(knownAssignments)
        .values({ userId, ...stored })
        .onConflictDoUpdate({ target: knownAssignments.userId, set: stored })
        .run();
      if (hasChanged) store.markChanged('known_assignments');
    });
  }

  return {
    list,

    async refresh() {
      const { userId } = store.identity();
      const nowMs = store.clock.now().getTime();
      if (asked?.userId === userId && Math.abs(nowMs - asked.atMs) < FRESH_FOR_MS) return;
      asked = { userId, atMs: nowMs };
      const answer = await sync.request((client) => client.account.assignments({}));
      // Another learner may have signed in while the request was under way.
      if (!answer.ok || store.identity().userId !== userId) return;
      keep(userId, answer.value);
    },

    forget() {
      asked = null;
      store.transaction(() => {
        if (db.delete(knownAssignments).run().changes > 0) store.markChanged('known_assignments');
      });
    },
  };
}
