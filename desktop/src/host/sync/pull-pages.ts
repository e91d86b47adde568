/** Reads the server's stream: each page, with how far it brings this device, is one transaction. */
import { type StreamCursors, type StreamPage, SYNC_PROTOCOL } from '@parley/contract';
import type { LearnerId } from '@parley/domain';
import { eq, min } from 'drizzle-orm';
import type { Logger } from '../logger.ts';
import { outbox, type Store, syncState } from '../store/index.ts';
import type { RowWriter } from './apply-rows.ts';
import { storeServerRows, withoutForeignKeys } from './foreign-keys.ts';
import { knownEpoch, noteEpoch } from './epoch.ts';
import { finishResync, noteSeen } from './resync.ts';
import type { ServerConnection } from './server-client.ts';

export interface PullParts {
  store: Store;
  logger: Logger;
  writer: RowWriter;
}

/** Pulls until nothing is left. Answers the account whose rows came when it is not the one that this device is on. */
export async function pullPages(
  parts: PullParts,
  { server, isClosed }: { server: ServerConnection; isClosed: () => boolean },
): Promise<LearnerId | null> {
  const { store } = parts;
  const { userId, deviceId } = store.identity();
  const lines = server.stream({
    protocol: SYNC_PROTOCOL,
    deviceId,
    epoch: knownEpoch(store),
    cursors: readCursors(store),
    answeredSeq: answeredSeq(store),
  });
  for await (const line of lines) {
    if (isClosed()) return null;
    noteEpoch(store, line.epoch);
    if (line.type === 'end') {
      finishResync(store);
      return null;
    }
    // Another account's rows would be lost among ours: the caller moves to that account first.
    if (line.userId !== userId) return line.userId;
    storePage(parts, line);
  }
  return null;
}

const syncStateOf = (store: Store): typeof syncState.$inferSelect => {
  const state = store.db.select().from(syncState).get();
  if (state === undefined) throw new Error('the device has no identity yet');
  return state;
};

export function readCursors(store: Store): StreamCursors {
  const { catalogueCursor, userCursor, olderCursor } = syncStateOf(store);
  return { catalogue: catalogueCursor, user: userCursor, older: olderCursor };
}

/** The last of our numbers that the server has answered; 0 when only the server knows. */
export function answeredSeq(store: Store): number {
  const { nextDeviceSeq } = syncStateOf(store);
  const firstOpen = store.db
    .select({ seq: min(outbox.deviceSeq) })
    .from(outbox)
    .where(eq(outbox.state, 'sent'))
    .get()?.seq;
  return Math.max(0, (firstOpen ?? nextDeviceSeq) - 1);
}

function storePage({ store, logger, writer }: PullParts, page: StreamPage): void {
  const apply = (): void => {
    noteSeen(store, writer.apply(page.tables));
    const { user, catalogue, older } = page.next;
    store.db.update(syncState).set({ userCursor: user, catalogueCursor: catalogue, olderCursor: older }).run();
  };
  // Going back in time, a row comes before the one that it hangs on; both are there when the stream has ended.
  const isGoingBack = page.next.older !== null || syncStateOf(store).olderCursor !== null;
  withoutWaitingForTheDisk(store, () => {
    if (isGoingBack) withoutForeignKeys(store, () => store.transaction(apply));
    else storeServerRows({ store, logger }, apply);
  });
}

/** Should the power fail before the disk has it, the cursor is gone with the page, and the page comes again. */
function withoutWaitingForTheDisk(store: Store, work: () => void): void {
  store.sqlite.pragma('synchronous = NORMAL');
  try {
    work();
  } finally {
    store.sqlite.pragma('synchronous = FULL');
  }
}
