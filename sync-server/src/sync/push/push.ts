/** Applies a device's changes in order and exactly once, and rejects invalid ones without blocking the rest. */
import {
  MAX_MUTATIONS_PER_PUSH,
  type Mutation,
  type MutationOutcome,
  type PushResponse,
  type PushResponseV2,
  schemaFingerprint,
  type TableRows,
} from '@parley/contract';
import { type EntityKey, entityKeyByTable, fingerprintOf, LearnerId, STORAGE_QUOTA_BYTES } from '@parley/domain';
import { and, eq, lt, sql } from 'drizzle-orm';
import { z } from 'zod';
import { type SignedInDevice, userScope } from '../../account/index.ts';
import { recordOpenedSections } from '../../courses/index.ts';
import type { Database } from '../../db/client.ts';
import type { RestoreMarker } from '../../db/restore-marker.ts';
import { devices, rejections, serverState, syncScopes } from '../../db/tables.ts';
import { DomainError } from '../../domain-error.ts';
import { type ApplyParts, applyMutations, BatchFailed } from './apply-mutations.ts';
import { toProtocol2Response } from './protocol-2-response.ts';
import { addId, type RowIds } from './batch.ts';
import { epochOf, renewScopeEpoch, serverEpochColumn } from '../restore/epoch.ts';
import { refreshSessions } from '../turns/project-conversations.ts';
import type { ParsedPush } from '../parse-request.ts';
import type { PushedRows } from '../pokes/poke-hub.ts';
import { readStorage, type StorageQuotas } from '../storage-quota/storage-quota.ts';
import { bytesOfRows, keysOf, type Reader, readRange, readRows, tableRows } from '../rows/wire-rows.ts';

export interface PushParts extends ApplyParts {
  db: Database;
  now: () => Date;
  /** Called after the transaction, when other devices can see what it wrote. */
  onChanged: (userId: string, version: number, pushed?: PushedRows) => void;
  /** Whether another device of the learner listens and wants the rows of a push. */
  wantsRows: (pushing: { userId: string; deviceId: string }) => boolean;
  onEpochChanged: (change: { userId: string; reason: string }) => void;
  /** Null when the database itself reveals a restore. */
  marker: RestoreMarker | null;
  /** Whether the database keeps statistics of its tables up to date, so that plans of statements can be kept. */
  plansOnce: boolean;
  /** See `schemaVersion`. */
  schema: string;
  quotas?: StorageQuotas | undefined;
}

/** The device continues from a number that the server never reached, so the server has lost confirmed data. */
class SequenceGap extends Error {
  readonly lastSeq: number;

  constructor(lastSeq: number) {
    super('a sequence has a gap');
    this.lastSeq = lastSeq;
  }
}

/** The response's rows exceed its size limit. */
class ResponseTooLarge extends Error {}

/** The byte limit of a response's rows. A change of a few bytes can return a row of several hundred thousand. */
const MAX_RESPONSE_BYTES = 16 * 1_048_576;
/** Responses with so few rows are not measured; the push of a single turn returns one. */
const UNCHECKED_ROWS = 16;
/** The byte limit of rows that are sent with a poke. Each slow listener keeps them in memory. */
const MAX_POKE_BYTES = 16_384;

/** Runs in one transaction: the device's row is locked, replays succeed, a gap is an error, and the scope gets at most one new version. */
export async function push(
  parts: PushParts,
  device: SignedInDevice,
  request: ParsedPush,
): Promise<PushResponse | PushResponseV2> {
  if (request.deviceId !== device.deviceId) throw new DomainError('auth.forbidden', { field: 'deviceId' });
  const { answer, commits, pushed } = await pushInParts(parts, device, request);
  if (parts.marker !== null && commits !== null) await parts.marker.record(commits);
  if (answer.userVersion > answer.previousVersion) parts.onChanged(device.userId, answer.userVersion, pushed);
  return request.protocol === 2 ? toProtocol2Response(answer) : answer;
}

/** When the response would be too large, only the first half of the changes is applied, and the device sends the rest again. */
async function pushInParts(parts: PushParts, device: SignedInDevice, request: ParsedPush): Promise<PushResult> {
  try {
    return await pushOrRenewEpoch(parts, device, request);
  } catch (error) {
    const { mutations } = request;
    if (!(error instanceof ResponseTooLarge) || mutations.length <= 1) throw error;
    return pushInParts(parts, device, { ...request, mutations: mutations.slice(0, Math.ceil(mutations.length / 2)) });
  }
}

async function pushOrRenewEpoch(parts: PushParts, device: SignedInDevice, request: ParsedPush): Promise<PushResult> {
  const { db, onEpochChanged } = parts;
  const apply = (hasSavepoints: boolean): Promise<PushResult> =>
    db.transaction((tx) => applyPush(tx, device, { request, at: parts.now(), parts, hasSavepoints }));
  try {
    return await apply(false).catch((error: unknown) => {
      if (error instanceof BatchFailed) return apply(true);
      throw error;
    });
  } catch (error) {
    if (!(error instanceof SequenceGap)) throw error;
    if (request.protocol === 2) throw new DomainError('sync.gap', { detail: String(error.lastSeq) });
    const { userId } = device;
    await renewScopeEpoch(db, userId);
    onEpochChanged({ userId, reason: 'push_gap' });
    throw new DomainError('sync.resync', { detail: 'epoch' });
  }
}

interface PushResult {
  answer: PushResponse;
  /** The number of pushes applied so far, or null when they are not counted. */
  commits: { commits: number; epoch: string } | null;
  /** What other devices get with their poke; undefined if none is to get rows. */
  pushed: PushedRows | undefined;
}

async function applyPush(
  tx: Database,
  device: SignedInDevice,
  { request, at, parts, hasSavepoints }: { request: ParsedPush; at: Date; parts: PushParts; hasSavepoints: boolean },
): Promise<PushResult> {
  const { userId, deviceId } = device;
  const locked = await lockAndAllocateVersion(tx, device, {
    mutations: request.mutations,
    plansOnce: parts.plansOnce,
  });
  const { lastSeq, scope } = locked;
  const fresh = request.mutations.filter((mutation) => mutation.deviceSeq > lastSeq);
  const step = fresh.length > 0 ? 1 : 0;
  const epoch = epochOf(locked.serverEpoch, scope.epoch);
  if (request.epoch !== null && request.epoch !== epoch) throw new DomainError('sync.resync', { detail: 'epoch' });
  fresh.forEach(({ deviceSeq }, index) => {
    if (deviceSeq !== lastSeq + index + 1) throw new SequenceGap(lastSeq);
  });
  // Another request may have stored a rejection of a replayed change after this one had begun to wait for the lock.
  const mayHaveRejections = locked.hasRejections || fresh.length < request.mutations.length;
  const known = mayHaveRejections ? await loadRejections(tx, deviceId, { request, lastSeq }) : new Map();
  const { protocol, deviceNow } = request;
  const clockOffsetMs = deviceNow === null ? 0 : at.getTime() - deviceNow.getTime();
  const { quotas = STORAGE_QUOTA_BYTES } = parts;
  const storage = await readStorage(tx, { userId, storedBytes: scope.storedBytes, at, quotas });
  const write = { userId, deviceId, protocol, at, version: scope.version, clockOffsetMs, storage };
  const applied = await applyMutations(tx, fresh, write, { onBug: parts.onBug, hasSavepoints });
  await saveRejections(tx, deviceId, fresh, applied.outcomes);
  const changes = fresh.filter((_mutation, index) => applied.outcomes[index]?.status === 'applied');
  await recordOpenedSections(tx, { userId, changes, at });
  const appliedNow = applied.outcomes.values();
  const outcomes = request.mutations.map((mutation): MutationOutcome => {
    const outcome = mutation.deviceSeq > lastSeq ? appliedNow.next().value : undefined;
    return outcome ?? repeatOutcome(mutation, known);
  });
  await saveProgress(tx, device, {
    lastSeq: lastSeq + fresh.length,
    lastSeenAt: at,
    storedBytes: storage.usedBytes + applied.addedBytes,
  });
  const others = differingRows(request, { outcomes, touched: applied.changedByServer });
  await requireSmallResponse(tx, { owner: userId, protocol }, others, request);
  if (protocol === 2) await refreshSessions(tx, userId, others.get('practiceHistory') ?? []);
  const commits = parts.marker !== null && step > 0 ? await countCommit(tx) : null;
  const isForPoke = step > 0 && applied.writtenBytes <= MAX_POKE_BYTES && parts.wantsRows(device);
  const tables = isForPoke ? await readPokeTables(tx, userId, scope.version) : null;
  return {
    commits,
    pushed:
      tables === null
        ? undefined
        : {
            rows: { epoch, userId: LearnerId.parse(userId), previousVersion: scope.version - step, tables },
            readers: new Set(locked.otherDevices),
          },
    answer: {
      epoch,
      schema: parts.schema,
      outcomes,
      lastSeq: lastSeq + fresh.length,
      userVersion: scope.version,
      previousVersion: scope.version - step,
      at: at.toISOString(),
      rows: tableRows(await readRows(tx, { owner: userId, protocol }, others), protocol),
    },
  };
}

/**
 * A device compares this value to decide whether a change that was rejected as unknown, or failed on a bug, is worth retrying. `version` is
 * the program's, or null when it is unknown. The first call describes all tables, which takes tens of milliseconds.
 */
export const schemaVersion = (version: string | null): string =>
  version === null ? schemaFingerprint() : fingerprintOf(`${schemaFingerprint()}+${version}`);

async function requireSmallResponse(
  tx: Database,
  reader: Reader,
  idsByKey: ReadonlyMap<EntityKey, readonly string[]>,
  { mutations }: ParsedPush,
): Promise<void> {
  const count = [...idsByKey.values()].reduce((sum, ids) => sum + ids.length, 0);
  if (mutations.length <= 1 || count <= UNCHECKED_ROWS) return;
  if ((await bytesOfRows(tx, reader, idsByKey)) > MAX_RESPONSE_BYTES) throw new ResponseTooLarge();
}

/** Reads all rows of a version, in whatever way the push has changed them. Returns null if they are too large for a poke. */
async function readPokeTables(tx: Database, owner: string, version: number): Promise<TableRows[] | null> {
  const reader: Reader = { owner, protocol: 3 };
  const parts = await readRange(tx, reader, { from: version, to: version, newestFirst: false });
  const bytes = parts.reduce((sum, { json }) => sum + Buffer.byteLength(json), 0);
  return bytes > MAX_POKE_BYTES ? null : tableRows(parts, reader.protocol);
}

type StoredRejection = Pick<typeof rejections.$inferSelect, 'code' | 'field' | 'refused'>;

function repeatOutcome({ id, deviceSeq }: Mutation, known: ReadonlyMap<number, StoredRejection>): MutationOutcome {
  const answer = known.get(deviceSeq);
  if (answer === undefined) return { id, status: 'duplicate' };
  const { code, field, refused } = answer;
  return refused === null ? { id, status: 'rejected', code, field } : { id, status: 'merged', refused };
}

/**
 * Loads the rejections that this device may ask for again. It has received every response before this push, and a push has a maximum
 * length.
 */
async function loadRejections(
  tx: Database,
  deviceId: string,
  { request, lastSeq }: { request: ParsedPush; lastSeq: number },
): Promise<Map<number, StoredRejection>> {
  const ofDevice = eq(rejections.deviceId, deviceId);
  const rows = await tx.select().from(rejections).where(ofDevice);
  const fromSeq = Math.max(request.mutations[0]?.deviceSeq ?? 0, lastSeq - MAX_MUTATIONS_PER_PUSH + 1);
  if (rows.some(({ deviceSeq }) => deviceSeq < fromSeq))
    await tx.delete(rejections).where(and(ofDevice, lt(rejections.deviceSeq, fromSeq)));
  return new Map(rows.map(({ deviceSeq, code, field, refused }) => [deviceSeq, { code, field, refused }]));
}

async function saveRejections(
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

const Locked = z.object({
  lastSeq: z.coerce.number(),
  serverEpoch: z.string(),
  hasRejections: z.boolean(),
  /** The learner's other devices that are signed in. A listener may have been signed out since it was admitted. */
  otherDevices: z.array(z.string()),
  version: z.coerce.number(),
  epoch: z.string().nullable(),
  storedBytes: z.coerce.number().nullable(),
});

interface LockedDevice extends Pick<z.infer<typeof Locked>, 'lastSeq' | 'serverEpoch' | 'otherDevices'> {
  /** False if a rejection was stored while this statement waited for the lock. */
  hasRejections: boolean;
  scope: Pick<z.infer<typeof Locked>, 'version' | 'epoch' | 'storedBytes'>;
}

/**
 * Locks the device's row and then the scope's until the transaction ends, which makes the commit order equal the version order. The scope
 * gets a new version if a change of the push is new. Throws when the device does not exist.
 *
 * It also lets PostgreSQL plan each of the transaction's statements once for all values. The statements find rows by lists of ids, of which
 * PostgreSQL expects more than there are, so it would replan them each time, which takes longer than running them. An embedded database
 * never analyses its tables, so there a plan made for empty tables would stay.
 */
async function lockAndAllocateVersion(
  tx: Database,
  { userId, deviceId }: SignedInDevice,
  { mutations, plansOnce }: Pick<ParsedPush, 'mutations'> & Pick<PushParts, 'plansOnce'>,
): Promise<LockedDevice> {
  const newestSeq = Math.max(0, ...mutations.map(({ deviceSeq }) => deviceSeq));
  const { rows } = (await tx.execute(sql`
    with device as (
      select ${devices.lastSeq} as last_seq from ${devices} where ${devices.deviceId} = ${deviceId} for update
    ), scope as (
      insert into ${syncScopes} (scope, version) select ${userScope(userId)}, 1 from device
      on conflict (scope) do update set
        version = ${syncScopes.version} + case when ${newestSeq}::bigint > (select last_seq from device) then 1 else 0 end
      returning version, epoch, stored_bytes
    )
    select device.last_seq as "lastSeq", ${serverEpochColumn} as "serverEpoch",
      exists (select from ${rejections} where ${rejections.deviceId} = ${deviceId}) as "hasRejections",
      coalesce((select json_agg(other.device_id) from ${devices} as other
        where other.user_id = ${userId} and other.device_id <> ${deviceId} and other.revoked_at is null), '[]') as "otherDevices",
      scope.version, scope.epoch, scope.stored_bytes as "storedBytes",
      set_config('plan_cache_mode', ${plansOnce ? 'force_generic_plan' : 'force_custom_plan'}, true)
    from device cross join scope`)) as { rows: unknown[] };
  const [locked] = z.array(Locked).parse(rows);
  if (locked === undefined) throw new DomainError('auth.required');
  const { version, epoch, storedBytes, ...device } = locked;
  return { ...device, scope: { version, epoch, storedBytes } };
}

async function saveProgress(
  tx: Database,
  { userId, deviceId }: SignedInDevice,
  { lastSeq, lastSeenAt, storedBytes }: { lastSeq: number; lastSeenAt: Date; storedBytes: number },
): Promise<void> {
  await tx.execute(sql`
    with storage as (
      update ${syncScopes} set stored_bytes = ${Math.max(0, Math.round(storedBytes))}::bigint
      where ${syncScopes.scope} = ${userScope(userId)}
    )
    update ${devices} set last_seq = ${lastSeq}::bigint, last_seen_at = ${lastSeenAt.toISOString()}::timestamptz
    where ${devices.deviceId} = ${deviceId}`);
}

async function countCommit(tx: Database): Promise<PushResult['commits']> {
  const [state] = await tx
    .update(serverState)
    .set({ commits: sql`${serverState.commits} + 1` })
    .returning({ commits: serverState.commits, epoch: serverState.epoch });
  return state ?? null;
}

/**
 * Returns the rows to include in the response: those that differ from what the device sent, and those that the server changed in addition.
 * For a replayed change, only the outcome is repeated.
 */
function differingRows(
  { mutations }: ParsedPush,
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
