/** Fetches the turns that a first sync has left out. A session's turns are complete in the transaction that stores the last of them. */
import { ORPCError } from '@orpc/client';
import { SYNC_PROTOCOL, type TableRows } from '@parley/contract';
import type { HostFailure } from '../../result/index.ts';
import { markTurnsComplete } from '../../store/index.ts';
import { type ServerConnection, toFailure } from '../../server/index.ts';
import { knownEpoch, storeEpoch } from '../restore/epoch.ts';
import { isResyncing, pullWholeError } from '../restore/resync.ts';
import { storeServerRows } from './deferred-foreign-keys.ts';
import { cannotSendTurnsLater, type PullParts, withRelaxedDurability } from './pull-pages.ts';

interface Asked {
  server: ServerConnection;
  sessionIds: readonly string[];
  isClosed: () => boolean;
}

/** A resync brings all turns, in its own order. */
export const RESYNCING: HostFailure = { code: 'session.not_downloaded', detail: 'resyncing' };
/** The server sent fewer turns than it had announced. */
export const INCOMPLETE: HostFailure = { code: 'internal', detail: 'incomplete' };

/** Returns why it failed, or null. A failure concerns only these turns; changes still sync. */
export async function fetchTurns(parts: PullParts, asked: Asked): Promise<HostFailure | null> {
  const { store, logger } = parts;
  if (isResyncing(store)) return RESYNCING;
  let cause: unknown = null;
  const failure = await storeTurns(parts, asked)
    .catch(async (error: unknown) => {
      cause = error;
      return error instanceof ORPCError && error.status === 404 ? explainNotFound(parts, asked) : toFailure(error);
    })
    .catch(toFailure);
  if (failure === null || asked.isClosed()) return failure;
  if (failure.code === 'internal') logger.error({ err: cause, detail: failure.detail }, 'turn_fetch_failed');
  else if (failure.code !== 'sync.offline') logger.warn({ code: failure.code }, 'turn_fetch_failed');
  return failure;
}

/**
 * Either the server was replaced by an older one, which sends turns only as part of everything, or a proxy answered in
 * its place.
 */
const explainNotFound = async ({ store }: PullParts, { server }: Asked): Promise<HostFailure> =>
  (await cannotSendTurnsLater(store, server)) ? toFailure(pullWholeError()) : { code: 'sync.offline' };

/** Turns that have arrived, with their account and epoch. */
interface Arrived {
  userId: string;
  epoch: string;
  sessionId: string;
  tables: TableRows[];
  /** How many turns of the session have arrived with them. */
  received: number;
  isLast: boolean;
}

/**
 * At least this many turns are stored at once, because a transaction for each session takes longer than storing its
 * turns.
 */
const ROWS_AT_ONCE = 100;

async function storeTurns(parts: PullParts, { server, sessionIds, isClosed }: Asked): Promise<HostFailure | null> {
  const { store } = parts;
  const { deviceId } = store.identity();
  const lines = server.turns({
    protocol: SYNC_PROTOCOL,
    deviceId,
    epoch: knownEpoch(store),
    sessionIds: [...sessionIds],
  });
  const receivedById = new Map<string, number>();
  let arrived: Arrived[] = [];
  let rowsArrived = 0;
  let failure: HostFailure | null = null;
  const storeArrived = (): void => {
    const isCurrent = ({ userId, epoch }: Arrived): boolean =>
      !isClosed() && !isResyncing(store) && userId === store.identity().userId && epoch === knownEpoch(store);
    const batch = arrived.filter(isCurrent);
    [arrived, rowsArrived] = [[], 0];
    const storeEach = (batches: readonly Arrived[][]): void => {
      for (const one of batches) if (!storeSessions(parts, one)) failure = INCOMPLETE;
    };
    try {
      storeEach([batch]);
    } catch (error) {
      if (batch.length < 2) throw error;
      // A session that cannot be stored must not hold back those before it.
      storeEach(batch.map((one) => [one]));
    }
  };

  try {
    for await (const line of lines) {
      if (isClosed()) return { code: 'sync.offline' };
      // A concurrent round may have begun a resync, which has reset the epoch.
      if (isResyncing(store)) return RESYNCING;
      storeEpoch(store, line.epoch);
      if (line.type === 'end') {
        storeArrived();
        return failure;
      }
      const { epoch, userId, sessionId, tables, isLast } = line;
      // The device or its token was moved to another account, which has sessions of its own.
      if (userId !== store.identity().userId) return { code: 'sync.offline' };
      const rows = tables.reduce((sum, table) => sum + table.rows.length, 0);
      const received = (receivedById.get(sessionId) ?? 0) + rows;
      receivedById.set(sessionId, received);
      arrived.push({ userId, epoch, sessionId, tables, received, isLast });
      rowsArrived += rows;
      if (rowsArrived >= ROWS_AT_ONCE) storeArrived();
    }
  } catch (error) {
    keepArrived();
    throw error;
  }
  storeArrived();
  return failure;

  /**
   * Turns that arrived before the connection broke need not be fetched again. If they cannot be stored either, the
   * first error is more informative.
   */
  function keepArrived(): void {
    try {
      storeArrived();
    } catch (error) {
      parts.logger.warn({ err: error }, 'arrived_turns_not_kept');
    }
  }
}

/** Returns false if the server sent fewer turns of one of the sessions than it had announced. */
function storeSessions(parts: PullParts, arrived: readonly Arrived[]): boolean {
  const { store, writer } = parts;
  if (arrived.length === 0) return true;
  let isComplete = true;
  withRelaxedDurability(store, () =>
    storeServerRows(parts, () => {
      writer.apply(arrived.flatMap(({ tables }) => tables));
      isComplete = true;
      for (const { sessionId, received, isLast } of arrived)
        if (isLast && !markTurnsComplete(store, { sessionId, received })) isComplete = false;
    }),
  );
  return isComplete;
}
