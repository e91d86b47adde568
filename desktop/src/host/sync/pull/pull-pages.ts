/**
 * Reads the server's stream, and the rows that a poke carries. Each page is stored with its cursors in one transaction.
 */
import {
  type Poke,
  type PokeRows,
  type StreamCursors,
  type StreamRequest,
  SYNC_PROTOCOL,
  type TurnsLaterPage,
} from '@parley/contract';
import type { LearnerId } from '@parley/domain';
import { and, eq, gt, min } from 'drizzle-orm';
import type { Logger } from '../../logger.ts';
import {
  computeLeftWords,
  forgetMissingTurns,
  listMissingTurns,
  mayLeaveWords,
  recordAnnouncedTurns,
  outbox,
  readSyncState,
  rebuildWords,
  type Store,
  syncState,
} from '../../store/index.ts';
import type { RowWriter } from './apply-rows.ts';
import { storeServerRows, withoutForeignKeys } from './deferred-foreign-keys.ts';
import { knownEpoch, storeEpoch } from '../restore/epoch.ts';
import { finishResync, pullWholeError, storeSeenRows } from '../restore/resync.ts';
import type { ServerConnection } from '../../server/index.ts';

export interface PullParts {
  store: Store;
  logger: Logger;
  writer: RowWriter;
}

/** Pulls until nothing is left. Returns the account of the received rows if it is not the current one. */
export async function pullPages(
  parts: PullParts,
  { server, isClosed }: { server: Pick<ServerConnection, 'stream'>; isClosed: () => boolean },
): Promise<LearnerId | null> {
  const { store } = parts;
  const { userId } = store.identity();
  const lines = server.stream(streamRequest(store), { areTurnsLater: readSyncState(store).pullsTurnsLater });
  let hasStored = false;
  try {
    for await (const line of lines) {
      if (isClosed()) return null;
      storeEpoch(store, line.epoch);
      if (line.type === 'end') {
        finishResync(store);
        finishTurns(store);
        return null;
      }
      // Rows of another account must not be mixed with ours; the caller first moves to that account.
      if (line.userId !== userId) return line.userId;
      if (line.turns === undefined) requireWholePull(store);
      storePage(parts, line);
      hasStored = true;
    }
    return null;
  } finally {
    // The rest may arrive days later.
    if (hasStored && !isClosed()) computeLeftWords(store);
  }
}

function streamRequest(store: Store): StreamRequest {
  return {
    protocol: SYNC_PROTOCOL,
    deviceId: store.identity().deviceId,
    epoch: knownEpoch(store),
    cursors: readCursors(store),
    answeredSeq: lastAnsweredSeq(store),
  };
}

/**
 * Requests the catalogue again, because every server has a page of it. Returns whether that page shows that the server
 * cannot send turns later.
 */
export async function cannotSendTurnsLater(store: Store, server: Pick<ServerConnection, 'stream'>): Promise<boolean> {
  const asked = streamRequest(store);
  const lines = server.stream({ ...asked, cursors: { ...asked.cursors, catalogue: 0 } }, { areTurnsLater: true });
  for await (const line of lines) return line.type === 'page' && line.turns === undefined;
  return false;
}

/**
 * A page without `turns` leaves nothing out, because the server cannot send turns later. If earlier pages have left
 * turns out, everything is pulled again.
 */
function requireWholePull(store: Store): void {
  const { pullsTurnsLater, olderCursor } = readSyncState(store);
  if (!pullsTurnsLater) return;
  // While older rows are being pulled, turns may have been left out of sessions that are still to come.
  if (olderCursor !== null || areTurnsMissing(store)) throw pullWholeError();
  store.db.update(syncState).set({ pullsTurnsLater: false }).run();
}

/** Call this when a stream has ended, so that no older rows are missing. */
function finishTurns(store: Store): void {
  if (!readSyncState(store).pullsTurnsLater) forgetMissingTurns(store);
  else if (!areTurnsMissing(store)) store.db.update(syncState).set({ pullsTurnsLater: false }).run();
}

const areTurnsMissing = (store: Store): boolean => listMissingTurns(store, { since: null, limit: 1 }).length > 0;

export function readCursors(store: Store): StreamCursors {
  const { catalogueCursor, userCursor, olderCursor } = readSyncState(store);
  return { catalogue: catalogueCursor, user: userCursor, older: olderCursor };
}

/** The last sequence number that the server has answered; 0 if only the server knows it. */
export function lastAnsweredSeq(store: Store): number {
  const { nextDeviceSeq } = readSyncState(store);
  const firstOpen = store.db
    .select({ seq: min(outbox.deviceSeq) })
    .from(outbox)
    .where(and(eq(outbox.state, 'sent'), gt(outbox.deviceSeq, 0)))
    .get()?.seq;
  return Math.max(0, (firstOpen ?? nextDeviceSeq) - 1);
}

/**
 * Stores the rows in a poke if they are exactly what this device has not seen. Returns false otherwise; a pull then
 * brings what is missing.
 */
export function storePokeRows(parts: PullParts, { rows, versions }: { rows: PokeRows; versions: Poke }): boolean {
  const { store } = parts;
  const { userCursor, catalogueCursor, olderCursor, resync } = readSyncState(store);
  const isNext =
    rows.userId === store.identity().userId &&
    rows.epoch === knownEpoch(store) &&
    rows.previousVersion === userCursor &&
    // The rows may refer to catalogue rows that are still to come.
    versions.catalogue <= catalogueCursor &&
    olderCursor === null &&
    resync === null;
  if (!isNext) return false;
  const next = { user: versions.user, catalogue: catalogueCursor, older: null };
  storePage(parts, { tables: rows.tables, next, lastSyncedAt: store.clock.now() });
  return true;
}

interface StoredPage extends Pick<TurnsLaterPage, 'tables' | 'next' | 'turns'> {
  /** Set for a page after which nothing is left to pull. */
  lastSyncedAt?: Date;
}

function storePage({ store, logger, writer }: PullParts, page: StoredPage): void {
  // A word's card is computed from all its attempts, which takes too long to repeat for every page.
  const leavesWords = mayLeaveWords(store);
  const apply = (): void => {
    storeSeenRows(store, writer.apply(page.tables, { leavesWords }));
    const { user, catalogue, older } = page.next;
    if (page.turns !== undefined) recordAnnouncedTurns(store, page.turns, { upTo: user });
    const { lastSyncedAt } = page;
    store.db
      .update(syncState)
      .set({
        userCursor: user,
        catalogueCursor: catalogue,
        olderCursor: older,
        ...(lastSyncedAt === undefined ? {} : { lastSyncedAt }),
      })
      .run();
    if (leavesWords && !mayLeaveWords(store)) rebuildWords(store);
  };
  // While older rows are pulled, a row arrives before the one it refers to; both exist when the stream ends.
  const isPullingOlderRows = page.next.older !== null || readSyncState(store).olderCursor !== null;
  withRelaxedDurability(store, () => {
    if (isPullingOlderRows) withoutForeignKeys(store, () => store.transaction(apply));
    else storeServerRows({ store, logger }, apply);
  });
}

/**
 * If the power fails before rows of the server are on disk, the record of their arrival is lost too, and they are
 * pulled again.
 */
export function withRelaxedDurability(store: Store, work: () => void): void {
  store.sqlite.pragma('synchronous = NORMAL');
  try {
    work();
  } finally {
    store.sqlite.pragma('synchronous = FULL');
  }
}
