/** The rows that an account is made of, as every way into one writes them. */
import type { DEVICE_PLATFORMS, DeviceCredentials } from '@parley/contract';
import type { DeviceId, LearnerId } from '@parley/domain';
import { eq, sql } from 'drizzle-orm';
import type { Database } from '../db/client.ts';
import { devices, rejections, syncScopes, tables } from '../db/tables.ts';
import { failure } from '../failure.ts';
import { hashSecret, newToken } from './tokens.ts';

export interface NewDevice {
  deviceId: DeviceId;
  name: string;
  platform: (typeof DEVICE_PLATFORMS)[number];
  timeZone?: string;
}

export type UserRow = typeof tables.users.$inferSelect;
type NewUserRow = typeof tables.users.$inferInsert;

/** In the times of edits that the server makes itself: no device bears it. */
export const SERVER_ID = '00000000-0000-0000-0000-000000000000';

export const userScope = (userId: string): string => `user:${userId}`;

/** JSON can say characters that no database's text may hold. */
export function requireText(name: string): void {
  if (name.includes('\0') || !name.isWellFormed()) throw failure('request.invalid', { field: 'name' });
}

/** Null: its id is taken. */
export async function addUser(tx: Database, row: NewUserRow): Promise<UserRow | null> {
  const [user] = await tx.insert(tables.users).values(row).onConflictDoNothing().returning();
  if (user === undefined) return null;
  await tx.insert(syncScopes).values({ scope: userScope(row.userId), version: 1 });
  return user;
}

/** Holds all that is written for this learner back until the transaction ends; false when there is no such learner any more. */
export async function lockLearner(tx: Database, userId: string): Promise<boolean> {
  const locked = await tx
    .select()
    .from(syncScopes)
    .where(eq(syncScopes.scope, userScope(userId)))
    .for('update');
  return locked.length > 0;
}

/**
 * Locks the learner's scope, as a push does, and gives the version under which their row is written next. Whoever locks a device as well
 * locks that first, as a push does. Null: there is no such learner.
 */
export async function nextVersion(tx: Database, userId: string): Promise<number | null> {
  const [scope] = await tx
    .update(syncScopes)
    .set({ version: sql`${syncScopes.version} + 1` })
    .where(eq(syncScopes.scope, userScope(userId)))
    .returning();
  return scope?.version ?? null;
}

/** The row as it is, and as it stays where its scope is locked. */
export async function readUser(tx: Database, userId: string): Promise<UserRow | null> {
  const [user] = await tx.select().from(tables.users).where(eq(tables.users.userId, userId));
  return user ?? null;
}

/** Under a version that `nextVersion` gave: the row so reaches every device. */
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

/** Ids are no secrets: one that is on somebody's account is moved by its own token alone. Throws `auth.forbidden`. */
export async function requireMovable(
  tx: Database,
  deviceId: DeviceId,
  { userId, bearer }: { userId: LearnerId; bearer: { deviceId: DeviceId } | null },
): Promise<void> {
  const [known] = await tx.select().from(devices).where(eq(devices.deviceId, deviceId));
  if (known === undefined || known.userId === userId || bearer?.deviceId === deviceId) return;
  throw failure('auth.forbidden', { field: 'deviceId' });
}

/** A device that was on another account moves to this one: its old token is worth nothing from here on. */
export async function addDevice(
  tx: Database,
  device: NewDevice & { userId: LearnerId; at: Date; confirmedAt?: Date },
): Promise<DeviceCredentials> {
  const { deviceId, userId, name, platform, timeZone, at, confirmedAt = null } = device;
  const token = newToken(deviceId);
  const fresh = {
    userId,
    name,
    platform,
    tokenHash: hashSecret(token),
    lastSeq: 0,
    lastSeenAt: at,
    revokedAt: null,
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

/** The same device goes on where it was, in what it counts too; only who knew its token before does not. */
export async function renewToken(
  tx: Database,
  { deviceId, userId }: { deviceId: DeviceId; userId: LearnerId },
  { name, platform, timeZone, at }: Omit<NewDevice, 'deviceId'> & { at: Date },
): Promise<DeviceCredentials> {
  const token = newToken(deviceId);
  await tx
    .update(devices)
    .set({
      name,
      platform,
      tokenHash: hashSecret(token),
      lastSeenAt: at,
      // Renewed for whoever has just proved the address.
      confirmedAt: at,
      ...(timeZone === undefined ? {} : { timeZone }),
    })
    .where(eq(devices.deviceId, deviceId));
  return { userId, deviceId, token };
}

export function newUser(userId: LearnerId, at: Date): NewUserRow {
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
    syncVersion: 1,
    deletedAt: null,
  };
}
