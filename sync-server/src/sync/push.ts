/** Takes a device's changes in, in order, once each; what may not be is refused without holding up the rest. */
import type { Mutation, MutationOutcome, MutationRejection, PushRequest, PushResponse } from '@parley/contract';
import { eq, sql } from 'drizzle-orm';
import { type SignedInDevice, userScope } from '../account/index.ts';
import type { Database } from '../db/client.ts';
import { devices, syncScopes } from '../db/tables.ts';
import { failure } from '../failure.ts';
import { applyMutation, MutationRefused } from './apply-mutation.ts';
import { requireKnownProtocol } from './protocol-version.ts';

const UNIQUE_VIOLATION = '23505';
const FOREIGN_KEY_VIOLATION = '23503';
const INTEGRITY_CLASS = /^(22|23)/;

/** One transaction: the device's row is locked, replays are successes, a gap is an error, the scope moves by one version. */
export async function push(
  { db, now }: { db: Database; now: () => Date },
  device: SignedInDevice,
  request: PushRequest,
): Promise<PushResponse> {
  requireKnownProtocol(request.protocol);
  if (request.deviceId !== device.deviceId) throw failure('auth.forbidden', { field: 'deviceId' });
  return db.transaction(async (tx) => {
    const at = now();
    const [locked] = await tx.select().from(devices).where(eq(devices.deviceId, device.deviceId)).for('update');
    if (locked === undefined) throw failure('auth.required');
    const fresh = request.mutations.filter((mutation) => mutation.deviceSeq > locked.lastSeq);
    fresh.forEach((mutation, index) => {
      if (mutation.deviceSeq !== locked.lastSeq + index + 1)
        throw failure('sync.gap', { detail: String(locked.lastSeq) });
    });
    const userVersion = await takeVersion(tx, userScope(device.userId), fresh.length > 0 ? 1 : 0);
    const outcomes: MutationOutcome[] = [];
    for (const mutation of request.mutations) {
      outcomes.push(
        mutation.deviceSeq <= locked.lastSeq
          ? { id: mutation.id, status: 'duplicate' }
          : await tryMutation(tx, mutation, { userId: device.userId, at, version: userVersion }),
      );
    }
    const lastSeq = locked.lastSeq + fresh.length;
    await tx.update(devices).set({ lastSeq, lastSeenAt: at }).where(eq(devices.deviceId, device.deviceId));
    return { outcomes, lastSeq, userVersion };
  });
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

async function tryMutation(
  tx: Database,
  mutation: Mutation,
  write: { userId: string; at: Date; version: number },
): Promise<MutationOutcome> {
  try {
    // A savepoint: a refused change takes nothing of the others with it.
    await tx.transaction((savepoint) => applyMutation(savepoint, mutation, write));
    return { id: mutation.id, status: 'applied' };
  } catch (error) {
    const refusal = error instanceof MutationRefused ? error : refusalOfDatabase(error);
    if (refusal === null) throw error;
    return { id: mutation.id, status: 'rejected', code: refusal.code, field: refusal.field };
  }
}

function refusalOfDatabase(error: unknown): MutationRefused | null {
  const code = sqlState(error);
  if (code === null || !INTEGRITY_CLASS.test(code)) return null;
  const rejection: MutationRejection =
    code === UNIQUE_VIOLATION ? 'conflict' : code === FOREIGN_KEY_VIOLATION ? 'missing_reference' : 'invalid_value';
  return new MutationRefused(rejection, null);
}

/** Drivers wrap the database's error; its state stands on it or on its cause. */
function sqlState(error: unknown): string | null {
  if (typeof error !== 'object' || error === null) return null;
  if ('code' in error && typeof error.code === 'string' && /^[0-9A-Z]{5}$/.test(error.code)) return error.code;
  return 'cause' in error ? sqlState(error.cause) : null;
}
