/** Keeps this device and the server in agreement about the learner's choice and the list of copies. */
import { type ServerConnection, toFailure } from '../server/index.ts';
import type { Store } from '../store/index.ts';
import { applyKeeping, applyList, hasForgottenChoice, readKeepingRow, writeKeepingRow } from './keeping-state.ts';

/** A connection that is bound to this learner. */
export interface LearnerConnection {
  userId: string;
  connection: ServerConnection;
}

const NO_ACCESS_CODES: ReadonlySet<string> = new Set(['access.required', 'access.taken', 'access.unconfirmed']);

/**
 * Sends the server the choice that the learner made while it was unreachable. `isLatest` says whether no other choice
 * has followed.
 */
export async function syncPendingChoice(
  store: Store,
  { userId, connection }: LearnerConnection,
  { signal, isLatest }: { signal?: AbortSignal | undefined; isLatest: () => boolean },
): Promise<void> {
  const { pendingChoice } = readKeepingRow(store, userId);
  if (pendingChoice === null || pendingChoice === 'unconfirmed') return;
  const keeping = await connection.client.recordings.keep(
    { isOn: false, deleteAll: pendingChoice === 'off_and_delete' },
    signal === undefined ? {} : { signal },
  );
  // The learner may have chosen again in the meantime, even the same, without the server knowing it yet.
  if (!isLatest()) return;
  writeKeepingRow(store, userId, { pendingChoice: null });
  applyKeeping(store, userId, keeping, { isLatest: true });
}

/** Reads the changes to the list of copies since it was last read. */
export async function refreshList(store: Store, server: LearnerConnection, signal?: AbortSignal): Promise<void> {
  const { userId, connection } = server;
  let mayHaveForgotten = true;
  for (let hasMore = true; hasMore;) {
    const { generation, listedUntil } = readKeepingRow(store, userId);
    const list = await connection.client.recordings.list(
      { generation, after: listedUntil },
      signal === undefined ? {} : { signal },
    );
    if (mayHaveForgotten && hasForgottenChoice(store, userId, list.keeping)) {
      mayHaveForgotten = false;
      // The list may still contain copies that the learner has had deleted, so it is read from the beginning.
      await tellForgottenChoice(store, server, signal);
      continue;
    }
    applyList(store, userId, list);
    ({ hasMore } = list);
  }
}

/** Repeats to a restored server what it told this device before the restore. */
async function tellForgottenChoice(
  store: Store,
  { userId, connection }: LearnerConnection,
  signal?: AbortSignal,
): Promise<void> {
  const { isOn, chosenAt, copiesDeletedAt } = readKeepingRow(store, userId);
  if (chosenAt === null) return;
  const remembered = {
    chosenAt: chosenAt.toISOString(),
    copiesDeletedAt: copiesDeletedAt?.toISOString() ?? null,
  };
  try {
    const keeping = await connection.client.recordings.keep(
      isOn ? { isOn, remembered } : { isOn, deleteAll: false, remembered },
      signal === undefined ? {} : { signal },
    );
    applyKeeping(store, userId, keeping, { isLatest: true });
  } catch (error) {
    // Learners without access may still list, play and delete existing copies, but no new ones are sent for them.
    if (!isOn || !NO_ACCESS_CODES.has(toFailure(error).code)) throw error;
  }
}
