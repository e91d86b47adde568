/** Fetches the turns that a first sync has left out. A session's turns are complete in the transaction that stores the last of them. */
import { ORPCError } from '@orpc/client';
import { SYNC_PROTOCOL } from '@parley/contract';
import type { HostFailure } from '../../result/index.ts';
import { noteTurnsComplete } from '../../store/index.ts';
import { type ServerConnection, toFailure } from '../../server/index.ts';
import { knownEpoch, storeEpoch } from '../restore/epoch.ts';
import { isResyncing, pullWholeError } from '../restore/resync.ts';
import { storeServerRows } from './deferred-foreign-keys.ts';
import { leavesNothingOut, type PullParts, withRelaxedDurability } from './pull-pages.ts';

interface Asked {
  server: ServerConnection;
  sessionIds: readonly string[];
  isClosed: () => boolean;
}

/** A resync brings all turns, in its own order. */
export const RESYNCING: HostFailure = { code: 'session.not_downloaded', detail: 'resyncing' };
/** The server sent fewer turns than it had announced. */
export const INCOMPLETE: HostFailure = { code: 'internal', detail: 'incomplete' };

/** Returns why it failed, or null. A failure concerns these turns only: every change still travels. */
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

/** Either the server was replaced by an older one, which sends everything but no session alone, or a proxy answered in its place. */
const explainNotFound = async ({ store }: PullParts, { server }: Asked): Promise<HostFailure> =>
  (await leavesNothingOut(store, server)) ? toFailure(pullWholeError()) : { code: 'sync.offline' };

async function storeTurns(parts: PullParts, { server, sessionIds, isClosed }: Asked): Promise<HostFailure | null> {
  const { store, writer } = parts;
  const { deviceId } = store.identity();
  const epoch = knownEpoch(store);
  const lines = server.turns({ protocol: SYNC_PROTOCOL, deviceId, epoch, sessionIds: [...sessionIds] });
  const receivedById = new Map<string, number>();
  let failure: HostFailure | null = null;
  for await (const line of lines) {
    if (isClosed()) return { code: 'sync.offline' };
    // A round beside this one may have begun a resync, which has reset the epoch.
    if (isResyncing(store)) return RESYNCING;
    storeEpoch(store, line.epoch);
    if (line.type === 'end') return failure;
    const { sessionId, tables, isLast } = line;
    // The device or its token was moved to another account, which has sessions of its own.
    if (line.userId !== store.identity().userId) return { code: 'sync.offline' };
    const received = (receivedById.get(sessionId) ?? 0) + tables.reduce((sum, { rows }) => sum + rows.length, 0);
    receivedById.set(sessionId, received);
    withRelaxedDurability(store, () =>
      storeServerRows(parts, () => {
        writer.apply(tables);
        if (isLast && !noteTurnsComplete(store, { sessionId, received })) failure = INCOMPLETE;
      }),
    );
  }
  return failure;
}
