/** Takes a device's changes in, in order, once each; what may not be is refused without holding up the rest. */
import {
  MAX_MUTATIONS_PER_PUSH,
  type Mutation,
  type MutationOutcome,
  type PushResponse,
  type PushResponseV2,
  schemaFingerprint,
} from '@parley/contract';
import { type EntityKey, entityKeyByTable, fingerprintOf, STORAGE_QUOTA_BYTES } from '@parley/domain';
import { and, eq, getTableColumns, lt, sql } from 'drizzle-orm';
import { type SignedInDevice, userScope } from '../account/index.ts';
import type { Database } from '../db/client.ts';
import type { RestoreMarker } from '../db/restore-marker.ts';
import { devices, rejections, serverState, syncScopes } from '../db/tables.ts';
import { failure } from '../failure.ts';
import { type ApplyParts, applyMutations } from './apply-mutations.ts';
import { asProtocol2 } from './answer-push.ts';
import { addId, type RowIds } from './batch.ts';
import { epochOf, renewScopeEpoch, serverEpochColumn } from './epoch.ts';
import { refreshSessions } from './project-sessions.ts';
import type { ReadPush } from './read-request.ts';
import { noteStorage, readStorage, type StorageQuotas } from './storage-quota.ts';
import { bytesOfRows, keysOf, type Reader, readRows, tableRows } from './wire-rows.ts';

export interface PushParts extends ApplyParts {
  db: Database;
  now: () => Date;
  /** Told after the transaction, when other devices can see what it wrote. */
  changed: (userId: string, version: number) => void;
  onEpochChanged: (change: { userId: string; reason: string }) => void;
  /** Null where the database itself tells whether it was put back in time. */
  marker: RestoreMarker | null;
  /** Of this program; null when it is not known. */
  version: string | null;
  quotas?: StorageQuotas | undefined;
}

/** A device goes on from a number that the server has not reached: the server has lost what it confirmed. */
class SequenceGap extends Error {
  readonly lastSeq: number;

  constructor(lastSeq: number) {
    super('a sequence has a gap');
    this.lastSeq = lastSeq;
  }
}

/** The rows that go with an answer are more than it may hold. */
class AnswerTooLong extends Error {}

/** Of the rows in an answer. A change of a few bytes can ask for a row of a few hundred thousand. */
const MAX_ANSWER_BYTES = 16 * 1_048_576;
/** So few are never looked at: a push of a turn brings one. */
const FEW_ROWS = 16;

/** One transaction: the device's row is locked, replays are successes, a gap is an error, the scope moves by one version. */
export async function push(
  parts: PushParts,
  device: SignedInDevice,
  request: ReadPush,
): Promise<PushResponse | PushResponseV2> {
  if (request.deviceId !== device.deviceId) throw failure('auth.forbidden', { field: 'deviceId' });
  const { answer, commits } = await takenInParts(parts, device, request);
  if (parts.marker !== null && commits !== null) await parts.marker.record(commits);
  if (answer.userVersion > answer.previousVersion) parts.changed(device.userId, answer.userVersion);
  return request.protocol === 2 ? asProtocol2(answer) : answer;
}

/** Only the first changes are answered when the answer would be too long; the device sends the others again. */
async function takenInParts(parts: PushParts, device: SignedInDevice, request: ReadPush): Promise<Taken> {
  try {
    return await takenIn(parts, device, request);
  } catch (error) {
    const { mutations } = request;
    if (!(error instanceof AnswerTooLong) || mutations.length <= 1) throw error;
    return takenInParts(parts, device, { ...request, mutations: mutations.slice(0, Math.ceil(mutations.length / 2)) });
  }
}

async function takenIn(parts: PushParts, device: SignedInDevice, request: ReadPush): Promise<Taken> {
  const { db, onEpochChanged } = parts;
  try {
    return await db.transaction((tx) => takeIn(tx, device, { request, at: parts.now(), parts }));
  } catch (error) {
    if (!(error instanceof SequenceGap)) throw error;
    if (request.protocol === 2) throw failure('sync.gap', { detail: String(error.lastSeq) });
    const { userId } = device;
    await renewScopeEpoch(db, userId);
    onEpochChanged({ userId, reason: 'push_gap' });
    throw failure('sync.resync', { detail: 'epoch' });
  }
}

interface Taken {
  answer: PushResponse;
  /** Pushes taken in so far; null where they are not counted. */
  commits: { commits: number; epoch: string } | null;
}

async function takeIn(
  tx: Database,
  { userId, deviceId }: SignedInDevice,
  { request, at, parts }: { request: ReadPush; at: Date; parts: PushParts },
): Promise<Taken> {
  const [locked] = await tx
    .select({ ...getTableColumns(devices), serverEpoch: serverEpochColumn })
    .from(devices)
    .where(eq(devices.deviceId, deviceId))
    .for('update');
  if (locked === undefined) throw failure('auth.required');
  const { lastSeq } = locked;
  const fresh = request.mutations.filter((mutation) => mutation.deviceSeq > lastSeq);
  const step = fresh.length > 0 ? 1 : 0;
  const scope = await takeVersion(tx, userScope(userId), step);
  const epoch = epochOf(locked.serverEpoch, scope.epoch);
  if (request.epoch !== null && request.epoch !== epoch) throw failure('sync.resync', { detail: 'epoch' });
  fresh.forEach(({ deviceSeq }, index) => {
    if (deviceSeq !== lastSeq + index + 1) throw new SequenceGap(lastSeq);
  });
  const known = await knownAnswers(tx, deviceId, { request, lastSeq });
  const { protocol, deviceNow } = request;
  const clockOffsetMs = deviceNow === null ? 0 : at.getTime() - deviceNow.getTime();
  const { quotas = STORAGE_QUOTA_BYTES } = parts;
  const storage = await readStorage(tx, { userId, storedBytes: scope.storedBytes, at, quotas });
  const write = { userId, deviceId, protocol, at, version: scope.version, clockOffsetMs, storage };
  const applied = await applyMutations(tx, fresh, write, parts);
  const usedBytes = storage.usedBytes + applied.addedBytes;
  if (usedBytes !== scope.storedBytes) await noteStorage(tx, userId, usedBytes);
  await keepAnswers(tx, deviceId, fresh, applied.outcomes);
  const appliedNow = applied.outcomes.values();
  const outcomes = request.mutations.map((mutation): MutationOutcome => {
    const outcome = mutation.deviceSeq > lastSeq ? appliedNow.next().value : undefined;
    return outcome ?? answerAgain(mutation, known);
  });
  await tx
    .update(devices)
    .set({ lastSeq: lastSeq + fresh.length, lastSeenAt: at })
    .where(eq(devices.deviceId, deviceId));
  const others = differingRows(request, { outcomes, touched: applied.touched });
  await requireShortAnswer(tx, { owner: userId, protocol }, others, request);
  if (protocol === 2) await refreshSessions(tx, userId, others.get('practiceHistory') ?? []);
  const commits = parts.marker !== null && step > 0 ? await countCommit(tx) : null;
  return {
    commits,
    answer: {
      epoch,
      schema: schemaOf(parts.version),
      outcomes,
      lastSeq: lastSeq + fresh.length,
      userVersion: scope.version,
      previousVersion: scope.version - step,
      at: at.toISOString(),
      rows: tableRows(await readRows(tx, { owner: userId, protocol }, others), protocol),
    },
  };
}

/** What a device compares to learn whether another try may succeed: of a change that was refused as unknown, or that a fault kept out. */
const schemaOf = (version: string | null): string =>
  version === null ? schemaFingerprint() : fingerprintOf(`${schemaFingerprint()}+${version}`);
async function requireShortAnswer(
  tx: Database,
  reader: Reader,
  idsByKey: ReadonlyMap<EntityKey, readonly string[]>,
  { mutations }: ReadPush,
): Promise<void> {
  const count = [...idsByKey.values()].reduce((sum, ids) => sum + ids.length, 0);
  if (mutations.length <= 1 || count <= FEW_ROWS) return;
  if ((await bytesOfRows(tx, reader, idsByKey)) > MAX_ANSWER_BYTES) throw new AnswerTooLong();
}

type KnownAnswer = Pick<typeof rejections.$inferSelect, 'code' | 'field' | 'refused'>;

function answerAgain({ id, deviceSeq }: Mutation, known: ReadonlyMap<number, KnownAnswer>): MutationOutcome {
  const answer = known.get(deviceSeq);
  if (answer === undefined) return { id, status: 'duplicate' };
  const { code, field, refused } = answer;
  return refused === null ? { id, status: 'rejected', code, field } : { id, status: 'merged', refused };
}

/**
 * What this device was refused, of what it may ask again. Of anything before this push it has had an answer, and no push is longer
 * than the longest.
 */
async function knownAnswers(
  tx: Database,
  deviceId: string,
  { request, lastSeq }: { request: ReadPush; lastSeq: number },
): Promise<Map<number, KnownAnswer>> {
  const ofDevice = eq(rejections.deviceId, deviceId);
  const rows = await tx.select().from(rejections).where(ofDevice);
  const fromSeq = Math.max(request.mutations[0]?.deviceSeq ?? 0, lastSeq - MAX_MUTATIONS_PER_PUSH + 1);
  if (rows.some(({ deviceSeq }) => deviceSeq < fromSeq))
    await tx.delete(rejections).where(and(ofDevice, lt(rejections.deviceSeq, fromSeq)));
  return new Map(rows.map(({ deviceSeq, code, field, refused }) => [deviceSeq, { code, field, refused }]));
}

async function keepAnswers(
  tx: Database,
  deviceId: string,
  fresh: readonly Mutation[],
  applied: readonly MutationOutcome[],
): Promise<void> {
  const kept = applied.flatMap((outcome, index): (typeof rejections.$inferInsert)[] => {
    const deviceSeq = fresh[index]?.deviceSeq;
    if (deviceSeq === undefined) return [];
    if (outcome.status === 'rejected')
      return [{ deviceId, deviceSeq, code: outcome.code, field: outcome.field, refused: null }];
    const [first] = outcome.status === 'merged' ? (outcome.refused ?? []) : [];
    if (outcome.status !== 'merged' || first === undefined) return [];
    const { code, field } = first;
    return [{ deviceId, deviceSeq, code, field, refused: outcome.refused ?? null }];
  });
  if (kept.length > 0) await tx.insert(rejections).values(kept).onConflictDoNothing();
}

/** The scope's row lock is held to the end of the transaction, which makes commit order the version order. */
async function takeVersion(
  tx: Database,
  scope: string,
  step: 0 | 1,
): Promise<{ version: number; epoch: string | null; storedBytes: number | null }> {
  const [row] = await tx
    .insert(syncScopes)
    .values({ scope, version: 1 })
    .onConflictDoUpdate({ target: syncScopes.scope, set: { version: sql`${syncScopes.version} + ${step}` } })
    .returning();
  return { version: row?.version ?? 0, epoch: row?.epoch ?? null, storedBytes: row?.storedBytes ?? null };
}

async function countCommit(tx: Database): Promise<Taken['commits']> {
  const [state] = await tx
    .update(serverState)
    .set({ commits: sql`${serverState.commits} + 1` })
    .returning({ commits: serverState.commits, epoch: serverState.epoch });
  return state ?? null;
}

/**
 * Rows that are not what the device made of them, or may not be, and those that the server changed beside: of a change that came before,
 * only the answer is repeated.
 */
function differingRows(
  { mutations }: ReadPush,
  { outcomes, touched }: { outcomes: readonly MutationOutcome[]; touched: RowIds },
): Map<EntityKey, string[]> {
  const own = new Set(keysOf('learner'));
  const idsByKey: RowIds = new Map();
  mutations.forEach(({ table, rowId }, index) => {
    const status = outcomes[index]?.status;
    const key = entityKeyByTable.get(table);
    if (key === undefined || !own.has(key) || status === undefined || status === 'applied') return;
    addId(idsByKey, key, rowId);
  });
  for (const [key, ids] of touched) for (const id of ids) addId(idsByKey, key, id);
  return new Map([...idsByKey].map(([key, ids]) => [key, [...ids]]));
}
