/** Registers devices with anonymous accounts, authenticates them, and links further devices by code. */
import { ACCOUNT_ERASED, type DeviceCredentials, type LinkedDevice } from '@parley/contract';
import { DeviceId, LearnerId } from '@parley/domain';
import { and, desc, eq, gt, isNull, lte } from 'drizzle-orm';
import type { Database } from '../../db/client.ts';
import { coalesceLookups } from '../../db/coalesce-lookups.ts';
import { isOneOf } from '../../db/is-one-of.ts';
import { devices, linkCodes, tables } from '../../db/tables.ts';
import { DomainError, hasErrorCode } from '../../domain-error.ts';
import {
  addDevice,
  insertUser,
  type NewDevice,
  newUserRow,
  requireLearner,
  requireMovableDevice,
  requireStorableText,
} from '../account-rows.ts';
import { scheduleAbandonedAccountErasure } from '../deletion/abandoned-account.ts';
import { isErased } from '../deletion/erase-learner.ts';
import { requireOtherWayIn } from './last-device.ts';
import { orderFor } from './wipe-order.ts';
import { forgetLinkCodes } from './link-codes.ts';
import { hashSecret, isSameHash, generateLinkCode } from '../secrets.ts';

export interface SignedInDevice {
  userId: LearnerId;
  deviceId: DeviceId;
}

const LINK_CODE_LIFETIME_MS = 10 * 60_000;
/** An app calls more often than this; storing each call would cost a write per request. */
const LAST_SEEN_INTERVAL_MS = 3 * 60_000;
/** Schedules the account's erasure only if it has no address: an owner with an address can still sign in to it. */
async function scheduleErasureIfAnonymous(
  tx: Database,
  leaving: Parameters<typeof scheduleAbandonedAccountErasure>[1],
): Promise<void> {
  const [former] = await tx.select().from(tables.users).where(eq(tables.users.userId, leaving.left));
  if (former?.email === null) await scheduleAbandonedAccountErasure(tx, leaving);
}

const DUMMY_HASH = hashSecret('no device bears this token');

export interface DeviceRegistry {
  register: (device: NewDevice & { userId: LearnerId }) => Promise<DeviceCredentials>;
  createLinkCode: (device: SignedInDevice) => Promise<{ code: string; expiresAt: string }>;
  /**
   * Throws `link.code_invalid`, or `auth.forbidden` for the id of a device on another account when its token is
   * missing.
   */
  join: (device: NewDevice & { code: string }, bearer: SignedInDevice | null) => Promise<DeviceCredentials>;
  /** The signed-in devices of the caller's account, most recently seen first. */
  listDevices: (device: SignedInDevice) => Promise<LinkedDevice[]>;
  /**
   * Signs out a device of the same account for good. Throws `device.not_found`, and `account.no_email` under the same
   * condition as signing out.
   */
  revoke: (device: SignedInDevice, deviceId: DeviceId) => Promise<LinkedDevice[]>;
  /** Authenticates a device and records that it was seen. Throws `auth.required` or `auth.device_revoked`. */
  authenticate: (authorization: string | undefined) => Promise<SignedInDevice>;
  /** Like `authenticate`, for calls that work without a token; null for an invalid one. */
  tryAuthenticate: (authorization: string | undefined) => Promise<SignedInDevice | null>;
  /** Also identifies a device that was signed out. It proves who the device was, not what it may do. */
  identify: (authorization: string | undefined) => Promise<SignedInDevice | null>;
}

export interface DeviceRegistryParts {
  db: Database;
  now: () => Date;
  /** Called when a device must stop receiving changes. */
  onDeviceSignedOut: (deviceId: DeviceId) => void;
}

export function createDeviceRegistry({ db, now, onDeviceSignedOut }: DeviceRegistryParts): DeviceRegistry {
  const listDevices = async ({ userId, deviceId }: SignedInDevice): Promise<LinkedDevice[]> => {
    const rows = await db
      .select()
      .from(devices)
      .where(and(eq(devices.userId, userId), isNull(devices.revokedAt)))
      .orderBy(desc(devices.lastSeenAt));
    return rows.map((row) => ({
      deviceId: DeviceId.parse(row.deviceId),
      name: row.name,
      platform: row.platform,
      createdAt: row.createdAt.toISOString(),
      lastSeenAt: row.lastSeenAt.toISOString(),
      isThis: row.deviceId === deviceId,
    }));
  };

  const recordSeen = async ({ deviceId, lastSeenAt }: typeof devices.$inferSelect): Promise<void> => {
    const at = now();
    const staleAt = new Date(at.getTime() - LAST_SEEN_INTERVAL_MS);
    if (lastSeenAt > staleAt) return;
    // The condition is repeated in the query, so that only one of many simultaneous calls writes.
    await db
      .update(devices)
      .set({ lastSeenAt: at })
      .where(and(eq(devices.deviceId, deviceId), lte(devices.lastSeenAt, staleAt)));
  };

  /** Coalesced, because every request of a device looks it up. */
  const findDevice = coalesceLookups(async (ids) => {
    const rows = await db.select().from(devices).where(isOneOf(devices.deviceId, ids));
    return new Map(rows.map((row) => [row.deviceId, row]));
  });

  const findDeviceByToken = async (authorization: string | undefined): Promise<typeof devices.$inferSelect> => {
    const token = /^Bearer (\S{32,200})$/.exec(authorization ?? '')?.[1];
    const deviceId = DeviceId.safeParse(token?.split('.')[0]);
    if (token === undefined || !deviceId.success) throw new DomainError('auth.required');
    const device = await findDevice(deviceId.data.toLowerCase());
    // The hash is compared even for an unknown device, so that the response takes equally long.
    const isRight = isSameHash(hashSecret(token), device?.tokenHash ?? DUMMY_HASH);
    if (device === undefined || !isRight) throw new DomainError('auth.required');
    return device;
  };
  const toSignedInDevice = ({ userId, deviceId }: typeof devices.$inferSelect): SignedInDevice => ({
    userId: LearnerId.parse(userId),
    deviceId: DeviceId.parse(deviceId),
  });
  const authenticate = async (authorization: string | undefined): Promise<SignedInDevice> => {
    const device = await findDeviceByToken(authorization);
    if (device.revokedAt !== null) throw new DomainError('auth.device_revoked', orderFor(device));
    await recordSeen(device);
    return toSignedInDevice(device);
  };
  /** Null when the token is not valid. */
  const nullIfUnauthenticated = async (asked: Promise<SignedInDevice>): Promise<SignedInDevice | null> => {
    try {
      return await asked;
    } catch (error) {
      if (hasErrorCode(error, 'auth.required') || hasErrorCode(error, 'auth.device_revoked')) return null;
      throw error;
    }
  };

  return {
    listDevices,
    authenticate,

    tryAuthenticate: (authorization) => nullIfUnauthenticated(authenticate(authorization)),
    identify: (authorization) => nullIfUnauthenticated(findDeviceByToken(authorization).then(toSignedInDevice)),

    revoke: async (device, deviceId) => {
      const [revoked] = await db.transaction(async (tx) => {
        await requireOtherWayIn(tx, { userId: device.userId, deviceId });
        await forgetLinkCodes(tx, device.userId);
        return tx
          .update(devices)
          .set({ revokedAt: now() })
          .where(and(eq(devices.deviceId, deviceId), eq(devices.userId, device.userId), isNull(devices.revokedAt)))
          .returning();
      });
      if (revoked === undefined) throw new DomainError('device.not_found');
      onDeviceSignedOut(deviceId);
      return listDevices(device);
    },

    register: (device) =>
      db.transaction(async (tx) => {
        requireStorableText(device.name);
        const at = now();
        // Devices generate their own ids. An id in use belongs to another account, and the response must not reveal
        // which.
        const [known] = await tx.select().from(devices).where(eq(devices.deviceId, device.deviceId));
        if (known !== undefined) throw new DomainError('auth.forbidden');
        const user = await insertUser(tx, newUserRow(device.userId, at));
        if (user === null) throw new DomainError('auth.forbidden');
        // Checked after the insert, which waits for an erasure in progress.
        if (await isErased(tx, device.userId)) throw new DomainError('auth.forbidden', { detail: ACCOUNT_ERASED });
        return addDevice(tx, { ...device, at });
      }),

    createLinkCode: (device) =>
      db.transaction(async (tx) => {
        const at = now();
        const code = generateLinkCode();
        await requireLearner(tx, device.userId);
        const expiresAt = new Date(at.getTime() + LINK_CODE_LIFETIME_MS);
        await forgetLinkCodes(tx, device.userId);
        await tx.insert(linkCodes).values({ codeHash: hashSecret(code), userId: device.userId, expiresAt });
        return { code, expiresAt: expiresAt.toISOString() };
      }),

    join: async (device, bearer) => {
      const joined = await db.transaction(async (tx) => {
        requireStorableText(device.name);
        const at = now();
        const [used] = await tx
          .update(linkCodes)
          .set({ usedAt: at })
          .where(
            and(eq(linkCodes.codeHash, hashSecret(device.code)), isNull(linkCodes.usedAt), gt(linkCodes.expiresAt, at)),
          )
          .returning();
        if (used === undefined) throw new DomainError('link.code_invalid');
        const userId = LearnerId.parse(used.userId);
        await requireMovableDevice(tx, device.deviceId, { userId, bearer });
        const credentials = await addDevice(tx, { ...device, userId, at });
        if (bearer !== null && bearer.deviceId === device.deviceId && bearer.userId !== userId)
          await scheduleErasureIfAnonymous(tx, { left: bearer.userId, deviceId: bearer.deviceId, leftFor: userId, at });
        return credentials;
      });
      // Its old connection is still listening to the account that it left.
      onDeviceSignedOut(joined.deviceId);
      return joined;
    },
  };
}
