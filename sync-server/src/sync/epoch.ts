/**
 * Versions mean something within one epoch. A new one begins when the database was restored to an earlier time: for everybody when the
 * server notices at its start, for one learner when a device shows that it was told more than the server knows.
 */
import { randomUUID } from 'node:crypto';
import type { ResyncReason, ResyncReasonV2 } from '@parley/contract';
import { and, eq, isNull, sql } from 'drizzle-orm';
import { type SignedInDevice, userScope } from '../account/index.ts';
import type { Database } from '../db/client.ts';
import { devices, serverState, syncScopes } from '../db/tables.ts';
import type { ScopeState } from './pages.ts';
import type { ReadStream } from './read-request.ts';

/** The epoch as devices see it. */
export const epochOf = (serverEpoch: string, scopeEpoch: string | null): string =>
  scopeEpoch === null ? serverEpoch : `${serverEpoch}.${scopeEpoch}`;

export const serverEpochColumn = sql<string>`(select ${serverState.epoch} from ${serverState})`;

export async function readEpoch(tx: Database, own: ScopeState): Promise<string> {
  const [state] = await tx.select({ epoch: serverState.epoch }).from(serverState);
  return epochOf(state?.epoch ?? '', own.epoch);
}

/** What the server knows of a device that asks for a stream. */
export interface KnownDevice {
  lastSeq: number;
  /** Of protocol 2: the epoch in which it began; null for the one that is current. */
  begunIn: string | null;
  /** Of the device's learner. */
  current: string;
}

export async function readDevice(tx: Database, { deviceId }: SignedInDevice, own: ScopeState): Promise<KnownDevice> {
  const [known] = await tx
    .select({ lastSeq: devices.lastSeq, begunIn: devices.epoch, serverEpoch: serverEpochColumn })
    .from(devices)
    .where(eq(devices.deviceId, deviceId));
  return {
    lastSeq: known?.lastSeq ?? 0,
    begunIn: known?.begunIn ?? null,
    current: epochOf(known?.serverEpoch ?? '', own.epoch),
  };
}

/** Why a device must fetch everything again. */
export interface Resync {
  detail: ResyncReason | ResyncReasonV2;
  /** How the device shows that the server knows less than it has confirmed; null where it does not, or where that is known. */
  evidence: string | null;
}

export const isFromNothing = ({ cursors }: Pick<ReadStream, 'cursors'>): boolean =>
  cursors.user === 0 && cursors.older === null;

/** Null: the device may go on from where it stands. */
export function judgeStream(request: ReadStream, known: KnownDevice, own: ScopeState): Resync | null {
  const { protocol, epoch, cursors, answeredSeq } = request;
  const evidence = answeredSeq > known.lastSeq ? 'answered_more' : cursors.user > own.version ? 'cursor_ahead' : null;
  if (protocol === 3) {
    if (epoch !== null && epoch !== known.current) return { detail: 'epoch', evidence: null };
    if (evidence !== null) return { detail: 'epoch', evidence };
  } else {
    const isOther = known.begunIn !== null && known.begunIn !== known.current;
    if (evidence !== null) return { detail: 'lost', evidence: isOther ? null : evidence };
    if (isOther && cursors.user !== 0) return { detail: 'lost', evidence: null };
  }
  return cursors.user > 0 && cursors.user < own.floor ? { detail: 'purged', evidence: null } : null;
}

/** A device of protocol 2 that begins from nothing begins in the current epoch. */
export async function rememberEpoch(db: Database, request: ReadStream, known: KnownDevice): Promise<void> {
  if (request.protocol !== 2 || !isFromNothing(request)) return;
  if (known.begunIn === null || known.begunIn === known.current) return;
  await db.update(devices).set({ epoch: known.current }).where(eq(devices.deviceId, request.deviceId));
}

/** A new epoch for one learner's devices. */
export async function renewScopeEpoch(db: Database, userId: string): Promise<void> {
  await db.transaction(async (tx) => {
    // Devices first, as a push locks them.
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

/** A new epoch for everybody; returns it. */
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
  await tx.insert(serverState).values({ id: 1, epoch }).onConflictDoUpdate({ target: serverState.id, set: { epoch } });
  return epoch;
}
