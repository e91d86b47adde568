/** Anonymous accounts of devices, and the codes with which further devices join them. */
import type { DeviceCredentials, LinkedDevice } from '@parley/contract';
import { DeviceId, LearnerId } from '@parley/domain';
import { ORPCError } from '@orpc/server';
import { and, desc, eq, gt, isNull, lte } from 'drizzle-orm';
import type { Database } from '../db/client.ts';
import { devices, linkCodes, tables } from '../db/tables.ts';
import { failure } from '../failure.ts';
import { addDevice, addUser, type NewDevice, newUser, requireMovable, requireText } from './account-rows.ts';
import { leaveAccount } from './leave-account.ts';
import { hashSecret, isSameHash, newLinkCode } from './tokens.ts';

export interface SignedInDevice {
  userId: LearnerId;
  deviceId: DeviceId;
}

const LINK_CODE_LIFE_MS = 10 * 60_000;
/** An app that runs asks something more often than that, and need not be written down each time. */
const SEEN_EVERY_MS = 3 * 60_000;
/** One with an address stays: its owner can sign in to it, and delete it, at any time. */
async function leaveNameless(tx: Database, leaving: Parameters<typeof leaveAccount>[1]): Promise<void> {
  const [former] = await tx.select().from(tables.users).where(eq(tables.users.userId, leaving.left));
  if (former?.email === null) await leaveAccount(tx, leaving);
}

const DUMMY_HASH = hashSecret('no device bears this token');

export interface Accounts {
  register: (device: NewDevice & { userId: LearnerId }) => Promise<DeviceCredentials>;
  createLinkCode: (device: SignedInDevice) => Promise<{ code: string; expiresAt: string }>;
  /** Throws `link.code_invalid`, and `auth.forbidden` for the id of a device on another account that does not prove to be it. */
  join: (device: NewDevice & { code: string }, bearer: SignedInDevice | null) => Promise<DeviceCredentials>;
  /** Of the account of the one that asks, the one seen last first; those that were signed out are not among them. */
  listDevices: (device: SignedInDevice) => Promise<LinkedDevice[]>;
  /** Signs a device of the same account out for good. */
  revoke: (device: SignedInDevice, deviceId: DeviceId) => Promise<LinkedDevice[]>;
  /** Whoever proves to be a device was seen with it. Throws `auth.required` or `auth.device_revoked`. */
  authenticate: (authorization: string | undefined) => Promise<SignedInDevice>;
  /** The same, for who may come without; null for a token that opens nothing. */
  recognise: (authorization: string | undefined) => Promise<SignedInDevice | null>;
  /** The same, and a device that was signed out: who it was, not what it may. */
  recall: (authorization: string | undefined) => Promise<SignedInDevice | null>;
}

export interface AccountParts {
  db: Database;
  now: () => Date;
  /** Told when a device must not hear anything any more. */
  signedOut: (deviceId: DeviceId) => void;
}

export function createAccounts({ db, now, signedOut }: AccountParts): Accounts {
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

  const noteSeen = async ({ deviceId, lastSeenAt }: typeof devices.$inferSelect): Promise<void> => {
    const at = now();
    const staleAt = new Date(at.getTime() - SEEN_EVERY_MS);
    if (lastSeenAt > staleAt) return;
    // Asked again there: of many calls at once one writes.
    await db
      .update(devices)
      .set({ lastSeenAt: at })
      .where(and(eq(devices.deviceId, deviceId), lte(devices.lastSeenAt, staleAt)));
  };

  const deviceOf = async (authorization: string | undefined): Promise<typeof devices.$inferSelect> => {
    const token = /^Bearer (\S{32,200})$/.exec(authorization ?? '')?.[1];
    const deviceId = DeviceId.safeParse(token?.split('.')[0]);
    if (token === undefined || !deviceId.success) throw failure('auth.required');
    const [device] = await db.select().from(devices).where(eq(devices.deviceId, deviceId.data));
    // Compared even when there is no such device, so that the answer takes as long.
    const isRight = isSameHash(hashSecret(token), device?.tokenHash ?? DUMMY_HASH);
    if (device === undefined || !isRight) throw failure('auth.required');
    return device;
  };
  const namesOf = ({ userId, deviceId }: typeof devices.$inferSelect): SignedInDevice => ({
    userId: LearnerId.parse(userId),
    deviceId: DeviceId.parse(deviceId),
  });
  const authenticate = async (authorization: string | undefined): Promise<SignedInDevice> => {
    const device = await deviceOf(authorization);
    if (device.revokedAt !== null) throw failure('auth.device_revoked');
    await noteSeen(device);
    return namesOf(device);
  };
  /** Null where it is nobody's token. */
  const orNull = async (asked: Promise<SignedInDevice>): Promise<SignedInDevice | null> => {
    try {
      return await asked;
    } catch (error) {
      if (error instanceof ORPCError && error.status === 401) return null;
      throw error;
    }
  };

  return {
    listDevices,
    authenticate,

    recognise: (authorization) => orNull(authenticate(authorization)),
    recall: (authorization) => orNull(deviceOf(authorization).then(namesOf)),

    revoke: async (device, deviceId) => {
      const [revoked] = await db
        .update(devices)
        .set({ revokedAt: now() })
        .where(and(eq(devices.deviceId, deviceId), eq(devices.userId, device.userId), isNull(devices.revokedAt)))
        .returning();
      if (revoked === undefined) throw failure('device.not_found');
      signedOut(deviceId);
      return listDevices(device);
    },

    register: (device) =>
      db.transaction(async (tx) => {
        requireText(device.name);
        const at = now();
        // Ids are minted by devices: one that exists belongs to somebody, and nobody is told whose it is.
        const [known] = await tx.select().from(devices).where(eq(devices.deviceId, device.deviceId));
        if (known !== undefined) throw failure('auth.forbidden');
        const user = await addUser(tx, newUser(device.userId, at));
        if (user === null) throw failure('auth.forbidden');
        return addDevice(tx, { ...device, at });
      }),

    createLinkCode: (device) =>
      db.transaction(async (tx) => {
        const at = now();
        const code = newLinkCode();
        const expiresAt = new Date(at.getTime() + LINK_CODE_LIFE_MS);
        await tx.delete(linkCodes).where(and(eq(linkCodes.userId, device.userId), isNull(linkCodes.usedAt)));
        await tx.insert(linkCodes).values({ codeHash: hashSecret(code), userId: device.userId, expiresAt });
        return { code, expiresAt: expiresAt.toISOString() };
      }),

    join: (device, bearer) =>
      db.transaction(async (tx) => {
        requireText(device.name);
        const at = now();
        const [used] = await tx
          .update(linkCodes)
          .set({ usedAt: at })
          .where(
            and(eq(linkCodes.codeHash, hashSecret(device.code)), isNull(linkCodes.usedAt), gt(linkCodes.expiresAt, at)),
          )
          .returning();
        if (used === undefined) throw failure('link.code_invalid');
        const userId = LearnerId.parse(used.userId);
        await requireMovable(tx, device.deviceId, { userId, bearer });
        const credentials = await addDevice(tx, { ...device, userId, at });
        if (bearer !== null && bearer.deviceId === device.deviceId && bearer.userId !== userId)
          await leaveNameless(tx, { left: bearer.userId, deviceId: bearer.deviceId, leftFor: userId, at });
        return credentials;
      }),
  };
}
