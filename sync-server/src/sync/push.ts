/** Takes a device's changes in, in order, once each; what may not be is refused without holding up the rest. */
import type { MutationOutcome, PushRequest, PushResponse, PushResponseV1 } from '@parley/contract';
import { type EntityKey, entityKeyByTable } from '@parley/domain';
import { eq, sql } from 'drizzle-orm';
import { type SignedInDevice, userScope } from '../account/index.ts';
import type { Database } from '../db/client.ts';
import { devices, syncScopes } from '../db/tables.ts';
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
  const applied = await applyMutations(tx, fresh, { userId, at, version });
  const outcomeById = new Map(applied.map((outcome) => [outcome.id, outcome]));
  const outcomes = request.mutations.map(
    ({ id }): MutationOutcome => outcomeById.get(id) ?? { id, status: 'duplicate' },
  );
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

/** The scope's row lock is held to the end of the transaction, which makes commit order the version order. */
async function takeVersion(tx: Database, scope: string, step: 0 | 1): Promise<number> {
  const [row] = await tx
    .insert(syncScopes)
    .values({ scope, version: 1 })
    .onConflictDoUpdate({ target: syncScopes.scope, set: { version: sql`${syncScopes.version} + ${step}` } })
    .returning();
  return row?.version ?? 0;
}

/** Rows that are not what the device made of them. */
function differingRows({ mutations }: PushRequest, outcomes: readonly MutationOutcome[]): Map<EntityKey, string[]> {
  const own = new Set(keysOf('learner'));
  const idsByKey = new Map<EntityKey, string[]>();
  mutations.forEach(({ table, rowId }, index) => {
    const status = outcomes[index]?.status;
    const key = entityKeyByTable.get(table);
    if (key === undefined || !own.has(key) || (status !== 'merged' && status !== 'rejected')) return;
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
