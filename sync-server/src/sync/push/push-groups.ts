/**
 * Lets small pushes that arrive while the database is busy share a transaction. A push alone costs the database and the
 * server several milliseconds, little of it for the rows, and a commit waits for the disk. A push that need not wait is
 * not delayed.
 */
import type { Database } from '../../db/client.ts';
import { describeDatabaseFailure } from '../../db/database-failure.ts';
import { createBoundedCache } from '../../http/limits/bounded-cache.ts';
import { type PushTransaction, shareTransaction } from './statements/merged-statements.ts';
import type { PushResult } from './push-parts.ts';
import { RowsTaken } from './statements/store-statement.ts';

/**
 * More concurrent transactions would finish no earlier, because they share the server's thread, and waiting pushes can
 * be grouped.
 */
const TRANSACTIONS = 2;
/** A transaction that takes longer, because it waits for a lock or for the disk, no longer blocks others. */
const PLACE_HELD_MS = 50;
/** A server that has fallen behind can catch up only with large groups. */
const MAX_MEMBERS = 64;
/** A spoken answer is two turns, their scores and an attempt at every word. A larger push fills a transaction of its own. */
const MAX_CHANGES_OF_MEMBER = 48;
/** This many rows take about 40 ms, for which each member waits. */
const MAX_CHANGES = 256;
/** After an error, a device's pushes run alone for a while, so that it cannot repeatedly fail the pushes of others. */
const TROUBLE_MS = 60_000;
const MAX_TROUBLED = 10_000;

export interface GroupedPush {
  userId: string;
  deviceId: string;
  /** The number of its changes; null if it must run alone. */
  changes: number | null;
  /** Applies it together with others. Returns null if it must run alone. */
  apply: (transaction: PushTransaction) => Promise<PushResult | null>;
  /**
   * Applies it in a transaction of its own. `onTrouble` is called when one of its changes is to blame for a failure.
   */
  applyAlone: (onTrouble: () => void) => Promise<PushResult>;
}

export interface PushGroups {
  run: (push: GroupedPush) => Promise<PushResult>;
}

interface Waiting {
  push: GroupedPush;
  settle: (result: Promise<PushResult>) => void;
}

export interface PushGroupsParts {
  db: Pick<Database, 'transaction'>;
  /** Called when a group was not stored. Each push is repeated, alone or by its device, so nothing is lost. */
  onGroupFailed: (error: unknown) => void;
}

export function createPushGroups({ db, onGroupFailed }: PushGroupsParts): PushGroups {
  let waiting: Waiting[] = [];
  let places = TRANSACTIONS;
  const troubled = createBoundedCache<true>({ maxKeys: MAX_TROUBLED, ttlMs: TROUBLE_MS });

  const runAlone = (push: GroupedPush): Promise<PushResult> => push.applyAlone(() => troubled.set(push.deviceId, true));

  /** Two pushes of one learner change the same scope, so the second waits for the next group. */
  function takeGroup(): Waiting[] {
    const group = new Map<string, Waiting>();
    let room = MAX_CHANGES;
    waiting = waiting.filter((one) => {
      const { userId, changes } = one.push;
      if (group.has(userId) || group.size >= MAX_MEMBERS || room <= 0) return true;
      group.set(userId, one);
      room -= changes ?? 0;
      return false;
    });
    return [...group.values()];
  }

  async function runGroup(group: readonly Waiting[]): Promise<void> {
    const [first] = group;
    if (group.length === 1 && first !== undefined) {
      const result = runAlone(first.push);
      first.settle(result);
      await result.catch(() => undefined);
      return;
    }
    try {
      const results = await db.transaction((tx) =>
        shareTransaction(tx, group, ({ push }, transaction) => push.apply(transaction)),
      );
      for (const [index, { push, settle }] of group.entries()) {
        const result = results[index] ?? null;
        settle(result === null ? runAlone(push) : Promise.resolve(result));
      }
    } catch (error) {
      onGroupFailed(error);
      // The transaction may have been stored before the connection broke. Only the devices know that they are repeating
      // their changes.
      const isUnclear = describeDatabaseFailure(error) !== null;
      const colliding = error instanceof RowsTaken ? error.userIds : new Set<string>();
      for (const { push, settle } of group) {
        if (colliding.has(push.userId)) troubled.set(push.deviceId, true);
        // If another member fails for reasons of its own, that shows when it is processed alone.
        settle(isUnclear ? Promise.reject(error) : runAlone(push));
      }
    }
  }

  function startNext(): void {
    while (places > 0 && waiting.length > 0) {
      places -= 1;
      let isHeld = true;
      const release = (): void => {
        if (!isHeld) return;
        isHeld = false;
        places += 1;
        startNext();
      };
      const timer = setTimeout(release, PLACE_HELD_MS);
      void runGroup(takeGroup()).finally(() => {
        clearTimeout(timer);
        release();
      });
    }
  }

  return {
    run: (push) => {
      const { changes, deviceId } = push;
      if (changes === null || changes > MAX_CHANGES_OF_MEMBER || troubled.has(deviceId)) return runAlone(push);
      return new Promise((resolve) => {
        waiting.push({ push, settle: resolve });
        startNext();
      });
    },
  };
}
