/**
 * Manages epochs, within which versions are comparable. A new epoch begins when the database was restored: for all
 * learners if the server detects it at startup, and for one learner if a device knows more than the server.
 */
import { randomUUID } from 'node:crypto';
import type { ResyncReason, ResyncReasonV2 } from '@parley/contract';
import { and, eq, gt, isNull, lte, or, sql } from 'drizzle-orm';
import { type SignedInDevice, userScope } from '../../account/index.ts';
import type { Database } from '../../db/client.ts';
import { devices, serverState, syncScopes } from '../../db/tables.ts';
import type { ScopeState } from '../stream/pages.ts';
import type { ParsedStreamRequest } from '../parse-request.ts';

/** Combines the server's and the scope's epoch into the one that devices see. */
export const epochOf = (serverEpoch: string, scopeEpoch: string | null): string =>
  scopeEpoch === null ? serverEpoch : `${serverEpoch}.${scopeEpoch}`;

export const serverEpochColumn = sql<string>`(select ${serverState.epoch} from ${serverState})`;

export async function readEpoch(tx: Database, own: ScopeState): Promise<string> {
  const [state] = await tx.select({ epoch: serverState.epoch }).from(serverState);
  return epochOf(state?.epoch ?? '', own.epoch);
}

/** The epoch that a learner's devices see, for what is listed to them besides rows. */
export async function readLearnerEpoch(db: Database, userId: string): Promise<string> {
  const [state] = await db
    .select({ server: serverState.epoch, own: syncScopes.epoch })
    .from(serverState)
    .leftJoin(syncScopes, eq(syncScopes.scope, userScope(userId)));
  return epochOf(state?.server ?? '', state?.own ?? null);
}

const DAY_MS = 24 * 3_600_000;
/**
 * For this long after a restore, an operator may find that a newer backup refers to files that the restored database
 * does not know.
 */
export const RESTORED_ORPHAN_AGE_MS = 30 * DAY_MS;
/**
 * Claims by devices count for this long after the first one, because any device can claim at any time that the database
 * was restored.
 */
const CLAIM_PERIOD_MS = 90 * DAY_MS;
/** Claims count again after this pause, when the files that the last one kept have been deleted. */
const CLAIM_PAUSE_MS = RESTORED_ORPHAN_AGE_MS + DAY_MS;

/** Returns when this server or a device last noticed that the database was restored; null if never. */
export async function readRestoredAt(db: Database): Promise<Date | null> {
  const [state] = await db.select({ restoredAt: serverState.restoredAt }).from(serverState);
  return state?.restoredAt ?? null;
}

/** The server's record of a device that requests a stream. */
export interface KnownDevice {
  lastSeq: number;
  /** For protocol 2, the epoch in which the device started; null means the current one. */
  startedInEpoch: string | null;
  /** The current epoch of the device's learner. */
  currentEpoch: string;
}

export async function readDevice(tx: Database, { deviceId }: SignedInDevice, own: ScopeState): Promise<KnownDevice> {
  const [known] = await tx
    .select({ lastSeq: devices.lastSeq, begunIn: devices.epoch, serverEpoch: serverEpochColumn })
    .from(devices)
    .where(eq(devices.deviceId, deviceId));
  return {
    lastSeq: known?.lastSeq ?? 0,
    startedInEpoch: known?.begunIn ?? null,
    currentEpoch: epochOf(known?.serverEpoch ?? '', own.epoch),
  };
}

/** Whether the device is still one of the learner's, since it may have been signed out after its stream began. */
export const isSignedIn = async (tx: Database, { deviceId, userId }: SignedInDevice): Promise<boolean> =>
  (await tx.$count(
    devices,
    and(eq(devices.deviceId, deviceId), eq(devices.userId, userId), isNull(devices.revokedAt)),
  )) > 0;

/** Why a device must fetch everything again. */
export interface Resync {
  detail: ResyncReason | ResyncReasonV2;
  /** How the device proves that the server lost data; null if it does not, or if the loss is already known. */
  evidence: string | null;
}

export const isFromNothing = ({ cursors }: Pick<ParsedStreamRequest, 'cursors'>): boolean =>
  cursors.user === 0 && cursors.older === null;

/** Returns null when the device may continue from its cursors. */
export function decideResync(request: ParsedStreamRequest, known: KnownDevice, own: ScopeState): Resync | null {
  const { protocol, epoch, cursors, answeredSeq } = request;
  const evidence = answeredSeq > known.lastSeq ? 'answered_more' : cursors.user > own.version ? 'cursor_ahead' : null;
  if (protocol === 3) {
    if (epoch !== null && epoch !== known.currentEpoch) return { detail: 'epoch', evidence: null };
    if (evidence !== null) return { detail: 'epoch', evidence };
  } else {
    const isOther = known.startedInEpoch !== null && known.startedInEpoch !== known.currentEpoch;
    if (evidence !== null) return { detail: 'lost', evidence: isOther ? null : evidence };
    if (isOther && cursors.user !== 0) return { detail: 'lost', evidence: null };
  }
  return cursors.user > 0 && cursors.user < own.floor ? { detail: 'purged', evidence: null } : null;
}

/** A device of protocol 2 that starts from scratch starts in the current epoch. */
export async function recordStartEpoch(db: Database, request: ParsedStreamRequest, known: KnownDevice): Promise<void> {
  if (request.protocol !== 2 || !isFromNothing(request)) return;
  if (known.startedInEpoch === null || known.startedInEpoch === known.currentEpoch) return;
  await db.update(devices).set({ epoch: known.currentEpoch }).where(eq(devices.deviceId, request.deviceId));
}

/** Begins a new epoch for one learner's devices. */
export async function renewScopeEpoch(db: Database, userId: string): Promise<void> {
  // If one learner has lost rows, others may have lost some too. Beginning a new epoch for all learners locks this row
  // before their devices, so it is not written in the transaction below.
  await recordRestoreClaim(db);
  await db.transaction(async (tx) => {
    // Devices are locked first, in the same order as in a push.
    const ofLearner = eq(devices.userId, userId);
    await tx.select().from(devices).where(ofLearner).orderBy(devices.deviceId).for('update');
    const scope = eq(syncScopes.scope, userScope(userId));
    const [before] = await tx
      .select({ epoch: syncScopes.epoch, serverEpoch: serverEpochColumn })
      .from(syncScopes)
      .where(scope)
      .for('update', { of: syncScopes });
    if (before === undefined) return;
    await tx
      .update(devices)
      .set({ epoch: epochOf(before.serverEpoch, before.epoch) })
      .where(and(ofLearner, isNull(devices.epoch)));
    await tx.update(syncScopes).set({ epoch: randomUUID() }).where(scope);
  });
}

/**
 * The latest claim counts, because an earlier one may have been false. Repeated claims must not keep the files of all
 * learners forever, so the first one is recorded too.
 */
async function recordRestoreClaim(db: Database): Promise<void> {
  const { restoredAt, restoreClaimedAt } = serverState;
  const ago = (ms: number) => sql`now() - ${ms / 1000} * interval '1 second'`;
  const isFirst = or(isNull(restoreClaimedAt), isNull(restoredAt), lte(restoredAt, ago(CLAIM_PAUSE_MS)));
  await db
    .update(serverState)
    .set({
      restoredAt: sql`now()`,
      restoreClaimedAt: sql`case when ${isFirst} then now() else ${restoreClaimedAt} end`,
    })
    .where(or(isFirst, gt(restoreClaimedAt, ago(CLAIM_PERIOD_MS))));
}

/** Begins a new epoch for all learners and returns it. */
export async function renewServerEpoch(tx: Database): Promise<string> {
  const [before] = await tx.select().from(serverState).for('update');
  const epoch = randomUUID();
  if (before !== undefined)
    await tx
      .update(devices)
      .set({
        epoch: sql`${before.epoch} || coalesce('.' || (select s.epoch from ${syncScopes} as s where s.scope = 'user:' || ${devices.userId}), '')`,
      })
      .where(isNull(devices.epoch));
  const begun = { epoch, restoredAt: sql`now()`, restoreClaimedAt: null };
  await tx
    .insert(serverState)
    .values({ id: 1, ...begun })
    .onConflictDoUpdate({ target: serverState.id, set: begun });
  return epoch;
}
