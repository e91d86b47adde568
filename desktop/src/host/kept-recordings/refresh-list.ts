/** Keeps this device and the server in agreement about the learner's choice and the list of copies. */
import { type ServerConnection, toFailure } from '../server/index.ts';
import type { Store } from '../store/index.ts';
import { applyKeeping, applyList, hasForgottenChoice, readKeepingRow, writeKeepingRow } from './keeping-state.ts';

/** A connection that speaks for this learner only. */
export interface LearnerConnection {
  userId: string;
  connection: ServerConnection;
}

const NO_ACCESS_CODES: ReadonlySet<string> = new Set(['access.required', 'access.taken', 'access.unconfirmed']);

/** Tells the server what the learner has chosen while it could not be reached. `isLatest` says whether no other choice followed. */
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
  // The learner may have chosen again meanwhile, even the same, and the server may not know it yet.
  if (!isLatest()) return;
  writeKeepingRow(store, userId, { pendingChoice: null });
  applyKeeping(store, userId, keeping, { isLatest: true });
}

/** Reads what has changed in the list of copies since it was last read. */
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
      // The list may still name what the learner has had deleted, so it is read anew.
      await tellForgottenChoice(store, server, signal);
      continue;
    }
    applyList(store, userId, list);
    ({ hasMore } = list);
  }
}

/** Tells a restored server what it had told this device before. */
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
    // Learners without access may still list, play and delete what is there, and nothing is sent for them.
    if (!isOn || !NO_ACCESS_CODES.has(toFailure(error).code)) throw error;
  }
}
