/** Locks the device and the scope of a push, and gives the scope a new version. */
import { type SQL, sql } from 'drizzle-orm';
import { z } from 'zod';
import { type SignedInDevice, userScope } from '../../../account/index.ts';
import type { Database } from '../../../db/client.ts';
import { isOneOf } from '../../../db/is-one-of.ts';
import { devices, rejections, syncScopes } from '../../../db/tables.ts';
import { serverEpochColumn } from '../../restore/epoch.ts';
import type { MergedStatement } from './merged-statements.ts';

interface AskedLock {
  device: SignedInDevice;
  /** The number of the push's last change; 0 if it has none. */
  newestSeq: number;
  /** Whether the database keeps statistics of its tables up to date, so that plans of statements can be kept. */
  plansOnce: boolean;
}

const Locked = z.object({
  deviceId: z.string(),
  lastSeq: z.coerce.number(),
  lastChangeAt: z.string().nullable(),
  lastChangeOffsetMs: z.coerce.number().nullable(),
  serverEpoch: z.string(),
  /** False if a rejection was stored while this statement waited for the lock. */
  hasRejections: z.boolean(),
  /** The learner's other devices that are signed in. A listener may have been signed out since it was admitted. */
  otherDevices: z.array(z.string()),
  version: z.coerce.number(),
  epoch: z.string().nullable(),
  storedBytes: z.coerce.number().nullable(),
});

export type LockedDevice = z.infer<typeof Locked>;

/**
 * Locks the device's row and then the scope's until the transaction ends, which makes the commit order equal the
 * version order. The scope gets a new version if at least one change of the push is new. A push that runs alone waits
 * for the lock, and gets null if its device does not exist. When several pushes share the statement, which must be from
 * different learners, null is also returned for those that would have to wait, and for a device that has moved to
 * another account. The statement also lets PostgreSQL plan each of the transaction's statements once for all values:
 * they find rows by lists of ids, of which PostgreSQL expects more than there are, so it would replan them each time,
 * which takes longer than running them. An embedded database never analyses its tables, so there a plan made for empty
 * tables would be kept.
 */
export const LOCK_DEVICES: MergedStatement<AskedLock, LockedDevice | null> = {
  async run(tx, asked) {
    const [only] = asked;
    if (only === undefined) return [];
    const found = await readLocked(tx, asked.length === 1 ? lockOne(only) : lockSeveral(asked), only);
    const byDevice = new Map(found.map((locked) => [locked.deviceId, locked]));
    return asked.map(({ device }) => byDevice.get(device.deviceId) ?? null);
  },
};

async function readLocked(tx: Database, locked: SQL, { plansOnce }: AskedLock): Promise<LockedDevice[]> {
  const { rows } = (await tx.execute(sql`
    ${locked}
    select locked.device_id as "deviceId", locked.last_seq as "lastSeq",
      locked.last_change_at as "lastChangeAt", locked.last_change_offset_ms as "lastChangeOffsetMs", ${serverEpochColumn} as "serverEpoch",
      exists (select from ${rejections} where ${rejections.deviceId} = locked.device_id) as "hasRejections",
      coalesce((select json_agg(other.device_id) from ${devices} as other where other.user_id = locked.user_id
        and other.device_id <> locked.device_id and other.revoked_at is null), '[]') as "otherDevices",
      locked.version, locked.epoch, locked.stored_bytes as "storedBytes",
      set_config('plan_cache_mode', ${plansOnce ? 'force_generic_plan' : 'force_custom_plan'}, true)
    from locked`)) as { rows: unknown[] };
  return z.array(Locked).parse(rows);
}

const lockOne = ({ device: { userId, deviceId }, newestSeq }: AskedLock): SQL => sql`
  with device as (
    select ${devices.deviceId}, ${devices.userId}, ${devices.lastSeq}, ${devices.lastChangeAt},
      ${devices.lastChangeOffsetMs} from ${devices}
    where ${devices.deviceId} = ${deviceId} for update
  ), scope as (
    insert into ${syncScopes} (scope, version) select ${userScope(userId)}, 1 from device
    on conflict (scope) do update set
      version = ${syncScopes.version} + case when ${newestSeq}::bigint > (select last_seq from device) then 1 else 0 end
    returning version, epoch, stored_bytes
  ), locked as (select * from device cross join scope)`;

const lockSeveral = (asked: readonly AskedLock[]): SQL => sql`
  with device as (
    select ${devices.deviceId}, ${devices.userId}, ${devices.lastSeq}, ${devices.lastChangeAt},
      ${devices.lastChangeOffsetMs} from ${devices}
    where ${isOneOf(
      devices.deviceId,
      asked.map(({ device }) => device.deviceId),
    )} and ${devices.userId}::text = ${asJson(asked.map(({ device }) => [device.deviceId, device.userId]))}
      ->> ${devices.deviceId}::text
    order by ${devices.deviceId} for update skip locked
  ), free as (
    select ${syncScopes.scope} from ${syncScopes}
    where ${isScopeOf(asked)} and ${syncScopes.scope} in (select 'user:' || device.user_id::text from device)
    order by ${syncScopes.scope} for update skip locked
  ), locked as (
    update ${syncScopes} as scope set version = scope.version + case
      when (${asJson(asked.map(({ device, newestSeq }) => [device.deviceId, newestSeq]))}
        ->> device.device_id::text)::bigint > device.last_seq then 1 else 0 end
    from device where scope.scope = 'user:' || device.user_id::text and scope.scope in (select free.scope from free)
    returning device.device_id, device.user_id, device.last_seq, device.last_change_at, device.last_change_offset_ms,
      scope.version, scope.epoch, scope.stored_bytes
  )`;

const asJson = (values: readonly (readonly [deviceId: string, value: unknown])[]): SQL =>
  sql`${JSON.stringify(Object.fromEntries(values))}::jsonb`;

const isScopeOf = (asked: readonly AskedLock[]): SQL =>
  sql`${syncScopes.scope} = any(${`{${asked.map(({ device }) => `"${userScope(device.userId)}"`).join(',')}}`}::text[])`;
