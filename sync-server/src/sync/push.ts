/** Takes a device's changes in, in order, once each; what may not be is refused without holding up the rest. */
import {
  MAX_MUTATIONS_PER_PUSH,
  type Mutation,
  type MutationOutcome,
  type PushRequest,
  type PushResponse,
  type PushResponseV1,
} from '@parley/contract';
import { type EntityKey, entityKeyByTable } from '@parley/domain';
import { and, eq, lt, sql } from 'drizzle-orm';
import { type SignedInDevice, userScope } from '../account/index.ts';
import type { Database } from '../db/client.ts';
import { devices, rejections, syncScopes } from '../db/tables.ts';
import { failure } from '../failure.ts';
import { applyMutations } from './apply-mutations.ts';
import { requireKnownProtocol } from './protocol-version.ts';
import { keysOf, readRows, tableRows } from './wire-rows.ts';

export interface PushParts {
  db: Database;
  now: () => Date;
  /** Told after the transaction, when other devices can see what it wrote. */
  changed: (userId: string, version: number) => void;
}

/** One transaction: the device's row is locked, replays are successes, a gap is an error, the scope moves by one version. */
export async function push(
  parts: PushParts,
  device: SignedInDevice,
  request: PushRequest,
): Promise<PushResponse | PushResponseV1> {
  requireKnownProtocol(request.protocol);
  if (request.deviceId !== device.deviceId) throw failure('auth.forbidden', { field: 'deviceId' });
  const answer = await parts.db.transaction((tx) => takeIn(tx, device, { request, at: parts.now() }));
  if (answer.userVersion > answer.previousVersion) parts.changed(device.userId, answer.userVersion);
  return request.protocol === 1 ? asProtocol1(answer) : answer;
}

async function takeIn(
  tx: Database,
  { userId, deviceId }: SignedInDevice,
  { request, at }: { request: PushRequest; at: Date },
): Promise<PushResponse> {
  const [locked] = await tx.select().from(devices).where(eq(devices.deviceId, deviceId)).for('update');
  if (locked === undefined) throw failure('auth.required');
  const fresh = request.mutations.filter((mutation) => mutation.deviceSeq > locked.lastSeq);
  fresh.forEach((mutation, index) => {
    if (mutation.deviceSeq !== locked.lastSeq + index + 1)
      throw failure('sync.gap', { detail: String(locked.lastSeq) });
  });
  const step = fresh.length > 0 ? 1 : 0;
  const version = await takeVersion(tx, userScope(userId), step);
  const known = await knownRejections(tx, deviceId, { request, lastSeq: locked.lastSeq });
  const write = { userId, deviceId, at, version, marksLosers: request.protocol === 1 };
  const applied = await applyMutations(tx, fresh, write);
  await keepRejections(tx, deviceId, fresh, applied);
  const appliedNow = applied.values();
  const outcomes = request.mutations.map((mutation): MutationOutcome => {
    const outcome = mutation.deviceSeq > locked.lastSeq ? appliedNow.next().value : undefined;
    return outcome ?? outcomeAgain(mutation, known);
  });
  const lastSeq = locked.lastSeq + fresh.length;
  await tx.update(devices).set({ lastSeq, lastSeenAt: at }).where(eq(devices.deviceId, deviceId));
  const others = differingRows(request, outcomes);
  return {
    outcomes,
    lastSeq,
    userVersion: version,
    previousVersion: version - step,
    at: at.toISOString(),
    rows: tableRows(await readRows(tx, userId, others)),
  };
}

type Refusal = Pick<typeof rejections.$inferSelect, 'code' | 'field'>;

function outcomeAgain({ id, deviceSeq }: Mutation, known: ReadonlyMap<number, Refusal>): MutationOutcome {
  const refusal = known.get(deviceSeq);
  return refusal === undefined ? { id, status: 'duplicate' } : { id, status: 'rejected', ...refusal };
}

/**
 * What this device was refused, of what it may ask again. Of anything before this push it has had an answer, and no push is longer
 * than the longest.
 */
async function knownRejections(
  tx: Database,
  deviceId: string,
  { request, lastSeq }: { request: PushRequest; lastSeq: number },
): Promise<Map<number, Refusal>> {
  const ofDevice = eq(rejections.deviceId, deviceId);
  const rows = await tx.select().from(rejections).where(ofDevice);
  const fromSeq = Math.max(request.mutations[0]?.deviceSeq ?? 0, lastSeq - MAX_MUTATIONS_PER_PUSH + 1);
  if (rows.some(({ deviceSeq }) => deviceSeq < fromSeq))
    await tx.delete(rejections).where(and(ofDevice, lt(rejections.deviceSeq, fromSeq)));
  return new Map(rows.map(({ deviceSeq, code, field }) => [deviceSeq, { code, field }]));
}

async function keepRejections(
  tx: Database,
  deviceId: string,
  fresh: readonly Mutation[],
  applied: readonly MutationOutcome[],
): Promise<void> {
  const refused = applied.flatMap((outcome, index) => {
    const deviceSeq = fresh[index]?.deviceSeq;
    if (outcome.status !== 'rejected' || deviceSeq === undefined) return [];
    return [{ deviceId, deviceSeq, code: outcome.code, field: outcome.field }];
  });
  if (refused.length > 0) await tx.insert(rejections).values(refused).onConflictDoNothing();
}

/** The scope's row lock is held to the end of the transaction, which makes commit order the version order. */
async function takeVersion(tx: Database, scope: string, step: 0 | 1): Promise<number> {
  const [row] = await tx
    .insert(syncScopes)
    .values({ scope, version: 1 })
    .onConflictDoUpdate({ target: syncScopes.scope, set: { version: sql`${syncScopes.version} + ${step}` } })
    .returning();
  return row?.version ?? 0;
}

/** Rows that are not what the device made of them, or may not be: of a change that came before, only the answer is repeated. */
function differingRows({ mutations }: PushRequest, outcomes: readonly MutationOutcome[]): Map<EntityKey, string[]> {
  const own = new Set(keysOf('learner'));
  const idsByKey = new Map<EntityKey, string[]>();
  mutations.forEach(({ table, rowId }, index) => {
    const status = outcomes[index]?.status;
    const key = entityKeyByTable.get(table);
    if (key === undefined || !own.has(key) || status === undefined || status === 'applied') return;
    idsByKey.set(key, [...(idsByKey.get(key) ?? []), rowId]);
  });
  return idsByKey;
}

const asProtocol1 = ({ outcomes, lastSeq, userVersion }: PushResponse): PushResponseV1 => ({
  outcomes: outcomes.map((outcome) =>
    outcome.status === 'merged' ? { id: outcome.id, status: 'applied' as const } : outcome,
  ),
  lastSeq,
  userVersion,
});
