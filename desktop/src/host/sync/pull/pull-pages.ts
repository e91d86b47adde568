/** Reads the server's stream. Each page is stored with its cursors in one transaction. */
import { type StreamCursors, type StreamPage, SYNC_PROTOCOL } from '@parley/contract';
import type { LearnerId } from '@parley/domain';
import { eq, min } from 'drizzle-orm';
import type { Logger } from '../../logger.ts';
import { outbox, type Store, syncState } from '../../store/index.ts';
import type { RowWriter } from './apply-rows.ts';
import { storeServerRows, withoutForeignKeys } from './deferred-foreign-keys.ts';
import { knownEpoch, storeEpoch } from '../restore/epoch.ts';
import { finishResync, storeSeenRows } from '../restore/resync.ts';
import type { ServerConnection } from '../../server/index.ts';

export interface PullParts {
  store: Store;
  logger: Logger;
  writer: RowWriter;
}

/** Pulls until nothing is left. Returns the account of the received rows if it is not the current one. */
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
    answeredSeq: lastAnsweredSeq(store),
  });
  for await (const line of lines) {
    if (isClosed()) return null;
    storeEpoch(store, line.epoch);
    if (line.type === 'end') {
      finishResync(store);
      return null;
    }
    // Rows of another account must not be mixed with ours; the caller first moves to that account.
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

/** The last sequence number that the server has answered; 0 if only the server knows it. */
export function lastAnsweredSeq(store: Store): number {
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
    storeSeenRows(store, writer.apply(page.tables));
    const { user, catalogue, older } = page.next;
    store.db.update(syncState).set({ userCursor: user, catalogueCursor: catalogue, olderCursor: older }).run();
  };
  // While older rows are pulled, a row arrives before the one it refers to; both exist when the stream ends.
  const isPullingOlderRows = page.next.older !== null || syncStateOf(store).olderCursor !== null;
  withRelaxedDurability(store, () => {
    if (isPullingOlderRows) withoutForeignKeys(store, () => store.transaction(apply));
    else storeServerRows({ store, logger }, apply);
  });
}

/** If the power fails before the page is on disk, its cursor is lost too and the page is pulled again. */
function withRelaxedDurability(store: Store, work: () => void): void {
  store.sqlite.pragma('synchronous = NORMAL');
  try {
    work();
  } finally {
    store.sqlite.pragma('synchronous = FULL');
  }
}
