/** Applies one push in a transaction, which it may share with pushes of other learners. */
import type { MutationOutcome } from '@parley/contract';
import { LearnerId, STORAGE_QUOTA_BYTES } from '@parley/domain';
import { sql } from 'drizzle-orm';
import type { SignedInDevice } from '../../account/index.ts';
import { mayOpenSections, recordOpenedSections } from '../../courses/index.ts';
import type { Database } from '../../db/client.ts';
import { serverState } from '../../db/tables.ts';
import { DomainError } from '../../domain-error.ts';
import type { ParsedPush } from '../parse-request.ts';
import { epochOf } from '../restore/epoch.ts';
import { readStorage } from '../storage-quota/storage-quota.ts';
import { refreshSessions } from '../turns/project-conversations.ts';
import { applyMutations } from './apply-mutations.ts';
import { orderChanges } from './change-order.ts';
import { LOCK_DEVICES } from './statements/lock-statement.ts';
import type { PushTransaction } from './statements/merged-statements.ts';
import type { PushParts, PushResult } from './push-parts.ts';
import { loadRejections, repeatOutcome, saveRejections } from './rejections.ts';
import {
  differingRows,
  MAX_POKE_BYTES,
  MAX_RESPONSE_BYTES,
  pokeTables,
  readResponseRows,
  requireSmallResponse,
  ResponseTooLarge,
} from './response-rows.ts';
import { STORE_ROWS } from './statements/store-statement.ts';

/** The device continues from a number that the server never reached, so the server has lost confirmed data. */
export class SequenceGap extends Error {
  readonly lastSeq: number;

  constructor(lastSeq: number) {
    super('a sequence has a gap');
    this.lastSeq = lastSeq;
  }
}

export interface PushToApply {
  device: SignedInDevice;
  request: ParsedPush;
  /** When the request arrived, with which the device's clock is compared. */
  receivedAt: Date;
  at: Date;
  parts: PushParts;
  hasSavepoints: boolean;
}

/**
 * Locks the device's row; replays succeed, a gap is an error, and the scope gets at most one new version. Returns null
 * without any change if the lock cannot be acquired: the device does not exist, or another transaction holds the lock
 * and this transaction is shared.
 */
export async function applyPush(transaction: PushTransaction, push: PushToApply): Promise<PushResult | null> {
  const { request, receivedAt, at, parts, hasSavepoints } = push;
  const { userId, deviceId } = push.device;
  const newestSeq = request.mutations.reduce((newest, { deviceSeq }) => Math.max(newest, deviceSeq), 0);
  const locked = await transaction.ask(LOCK_DEVICES, { device: push.device, newestSeq, plansOnce: parts.plansOnce });
  if (locked === null) return null;
  const { lastSeq, version, storedBytes } = locked;
  const fresh = request.mutations.filter((mutation) => mutation.deviceSeq > lastSeq);
  const step = fresh.length > 0 ? 1 : 0;
  const epoch = epochOf(locked.serverEpoch, locked.epoch);
  if (request.epoch !== null && request.epoch !== epoch) throw new DomainError('sync.resync', { detail: 'epoch' });
  fresh.forEach(({ deviceSeq }, index) => {
    if (deviceSeq !== lastSeq + index + 1) throw new SequenceGap(lastSeq);
  });
  // Another request may have stored a rejection of a replayed change after this one had begun to wait for the lock.
  const mayHaveRejections = locked.hasRejections || fresh.length < request.mutations.length;
  const known = mayHaveRejections
    ? await transaction.use((tx) => loadRejections(tx, deviceId, { request, lastSeq }))
    : new Map();
  const { protocol, deviceNow } = request;
  const clockOffsetMs = deviceNow === null ? 0 : receivedAt.getTime() - deviceNow.getTime();
  const { quotas = STORAGE_QUOTA_BYTES } = parts;
  const storage = await readStorage(transaction, { userId, storedBytes, at, quotas });
  const { lastChangeAt, lastChangeOffsetMs } = locked;
  const last = lastChangeAt === null ? null : { at: lastChangeAt, offsetMs: lastChangeOffsetMs ?? 0 };
  const device = { protocol, deviceNow, offsetMs: clockOffsetMs, last, hasSentChanges: lastSeq > 0 };
  const order = orderChanges(fresh, device);
  const write = { userId, deviceId, protocol, at, version, clockOffsetMs, order, storage };
  const progress = { deviceId, lastSeq: lastSeq + fresh.length, lastChange: order.last, lastSeenAt: at };
  const applied = await applyMutations(transaction, fresh, write, { onBug: parts.onBug, hasSavepoints, progress });
  if (hasSavepoints && fresh.length > 0)
    await transaction.ask(STORE_ROWS, {
      userId,
      progress: { ...progress, storedBytes: storage.usedBytes + applied.addedBytes },
    });
  await saveRejections(transaction, deviceId, fresh, applied.outcomes);
  const changes = fresh.filter((_mutation, index) => applied.outcomes[index]?.status === 'applied');
  if (mayOpenSections(changes)) await transaction.use((tx) => recordOpenedSections(tx, { userId, changes, at }));
  const appliedNow = applied.outcomes.values();
  const outcomes = request.mutations.map((mutation): MutationOutcome => {
    const outcome = mutation.deviceSeq > lastSeq ? appliedNow.next().value : undefined;
    return outcome ?? repeatOutcome(mutation, known);
  });
  const reader = { owner: userId, protocol };
  const others = differingRows(request, { outcomes, touched: applied.changedByServer });
  if (protocol === 2) {
    const sessions = { sessionIds: others.get('practiceHistory') ?? [], maxBytes: MAX_RESPONSE_BYTES };
    const bytes = await transaction.use((tx) => refreshSessions(tx, userId, sessions));
    if (bytes > MAX_RESPONSE_BYTES && request.mutations.length > 1) throw new ResponseTooLarge();
  }
  await requireSmallResponse(transaction, reader, others, request);
  const commits = parts.marker !== null && step > 0 ? await transaction.use((tx) => countCommit(tx)) : null;
  const isForPoke = step > 0 && applied.writtenBytes <= MAX_POKE_BYTES && parts.wantsRows(push.device);
  const tables = isForPoke && applied.batch !== null ? pokeTables(applied.batch, userId) : null;
  return {
    commits,
    pushed:
      tables === null
        ? undefined
        : {
            rows: { epoch, userId: LearnerId.parse(userId), previousVersion: version - step, tables },
            readers: new Set(locked.otherDevices),
          },
    answer: {
      epoch,
      schema: parts.schema,
      outcomes,
      lastSeq: lastSeq + fresh.length,
      userVersion: version,
      previousVersion: version - step,
      at: at.toISOString(),
      rows: await readResponseRows(transaction, { ...reader, batch: applied.batch }, others),
    },
  };
}

async function countCommit(tx: Database): Promise<PushResult['commits']> {
  const [state] = await tx
    .update(serverState)
    .set({ commits: sql`${serverState.commits} + 1` })
    .returning({ commits: serverState.commits, epoch: serverState.epoch });
  return state ?? null;
}
