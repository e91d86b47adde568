/** Reads and writes the rows of an account for every way of registering or signing in. */
import type { DEVICE_PLATFORMS, DeviceCredentials } from '@parley/contract';
import type { DeviceId, LearnerId } from '@parley/domain';
import { eq, sql } from 'drizzle-orm';
import type { Database } from '../db/client.ts';
import { devices, rejections, syncScopes, tables } from '../db/tables.ts';
import { DomainError } from '../domain-error.ts';
import { hashSecret, generateDeviceToken } from './secrets.ts';

export interface NewDevice {
  deviceId: DeviceId;
  name: string;
  platform: (typeof DEVICE_PLATFORMS)[number];
  timeZone?: string;
}

export type UserRow = typeof tables.users.$inferSelect;
type NewUserRow = typeof tables.users.$inferInsert;

/** The device id in the timestamps of edits that the server makes itself. No device has this id. */
export const SERVER_DEVICE_ID = '00000000-0000-0000-0000-000000000000';

/** The version of a new account's scope; every write increments it. */
export const FIRST_VERSION = 1;

export const userScope = (userId: string): string => `user:${userId}`;

/** JSON can carry characters that PostgreSQL text cannot hold. */
export function requireStorableText(name: string): void {
  if (name.includes('\0') || !name.isWellFormed()) throw new DomainError('request.invalid', { field: 'name' });
}

/** Null when the id is already in use. */
export async function insertUser(tx: Database, row: NewUserRow): Promise<UserRow | null> {
  const [user] = await tx.insert(tables.users).values(row).onConflictDoNothing().returning();
  if (user === undefined) return null;
  await tx.insert(syncScopes).values({ scope: userScope(row.userId), version: FIRST_VERSION });
  return user;
}

/** Blocks all other writes for this learner until the transaction ends. False when the learner no longer exists. */
export async function lockLearner(tx: Database, userId: string): Promise<boolean> {
  const locked = await tx
    .select()
    .from(syncScopes)
    .where(eq(syncScopes.scope, userScope(userId)))
    .for('update');
  return locked.length > 0;
}

/** Does the same, for a request that began before the learner was erased. Throws `auth.required`. */
export async function requireLearner(tx: Database, userId: string): Promise<void> {
  if (!(await lockLearner(tx, userId))) throw new DomainError('auth.required');
}

/**
 * Locks the learner's scope, as a push does, and returns the version for the next write of their row; null when there is no such learner.
 * To avoid a deadlock, a caller that locks a device too must lock the device first, as a push does.
 */
export async function nextVersion(tx: Database, userId: string): Promise<number | null> {
  const [scope] = await tx
    .update(syncScopes)
    .set({ version: sql`${syncScopes.version} + 1` })
    .where(eq(syncScopes.scope, userScope(userId)))
    .returning();
  return scope?.version ?? null;
}

/** Reads the learner's row. It cannot change afterwards while the caller holds the scope's lock. */
export async function readUser(tx: Database, userId: string): Promise<UserRow | null> {
  const [user] = await tx.select().from(tables.users).where(eq(tables.users.userId, userId));
  return user ?? null;
}

/** Writes under a version from the scope's counter, so that the change reaches every device. */
export async function writeUser(
  tx: Database,
  userId: string,
  { version, at, ...change }: Partial<NewUserRow> & { version: number; at: Date },
): Promise<void> {
  await tx
    .update(tables.users)
    .set({ ...change, updatedAt: at, syncVersion: version })
    .where(eq(tables.users.userId, userId));
}

/**
 * Throws `auth.forbidden`. Device ids are not secret, so a device that belongs to another account moves only with its
 * own token.
 */
export async function requireMovableDevice(
  tx: Database,
  deviceId: DeviceId,
  { userId, bearer }: { userId: LearnerId; bearer: { deviceId: DeviceId } | null },
): Promise<void> {
  const [known] = await tx.select().from(devices).where(eq(devices.deviceId, deviceId));
  if (known === undefined || known.userId === userId || bearer?.deviceId === deviceId) return;
  throw new DomainError('auth.forbidden', { field: 'deviceId' });
}

/** Adds the device, or moves it here from another account. The new token replaces the old one. */
export async function addDevice(
  tx: Database,
  device: NewDevice & { userId: LearnerId; at: Date; confirmedAt?: Date | null },
): Promise<DeviceCredentials> {
  const { deviceId, userId, name, platform, timeZone, at, confirmedAt = null } = device;
  const token = generateDeviceToken(deviceId);
  const fresh = {
    userId,
    name,
    platform,
    tokenHash: hashSecret(token),
    lastSeq: 0,
    lastChangeAt: null,
    lastChangeOffsetMs: null,
    lastSeenAt: at,
    revokedAt: null,
    wipeKey: null,
    wipeRequestedAt: null,
    wipedAt: null,
    confirmedAt,
    epoch: null,
  };
  const zone = timeZone === undefined ? {} : { timeZone };
  await tx.delete(rejections).where(eq(rejections.deviceId, deviceId));
  await tx
    .insert(devices)
    .values({ deviceId, createdAt: at, ...fresh, ...zone })
    .onConflictDoUpdate({ target: devices.deviceId, set: { ...fresh, ...zone } });
  return { userId, deviceId, token };
}

/** Gives the device a new token and keeps its sync state, because it stays on the same account. Null leaves its confirmation as it is. */
export async function renewToken(
  tx: Database,
  { deviceId, userId }: { deviceId: DeviceId; userId: LearnerId },
  { name, platform, timeZone, at, confirmedAt }: Omit<NewDevice, 'deviceId'> & { at: Date; confirmedAt: Date | null },
): Promise<DeviceCredentials> {
  const token = generateDeviceToken(deviceId);
  await tx
    .update(devices)
    .set({
      name,
      platform,
      tokenHash: hashSecret(token),
      lastSeenAt: at,
      ...(confirmedAt === null ? {} : { confirmedAt }),
      ...(timeZone === undefined ? {} : { timeZone }),
    })
    .where(eq(devices.deviceId, deviceId));
  return { userId, deviceId, token };
}

export function newUserRow(userId: LearnerId, at: Date): NewUserRow {
  return {
    userId,
    firstName: null,
    lastName: null,
    jobTitle: null,
    industry: null,
    agentId: null,
    avatarUrl: null,
    email: null,
    hasAccess: false,
    accessDate: null,
    summary: null,
    englishLevel: null,
    subscriptionId: null,
    lastLoginAt: at,
    emailNotifications: true,
    isAdmin: false,
    practiceDifficulty: null,
    practiceStyle: null,
    hasSeenOnboarding: false,
    notYetPracticedEmailSent: false,
    planUpgradeReminderEmailSent: false,
    accessLinkNotReceivedEmailSent: false,
    notLoggedInAfterAccessEmailSent: false,
    createdAt: at,
    updatedAt: at,
    syncVersion: FIRST_VERSION,
    deletedAt: null,
  };
}
