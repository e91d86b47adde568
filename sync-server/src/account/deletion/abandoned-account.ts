/** Accounts without an address that are erased without a request: scheduled when the last device moves away, kept when a device returns. */
import { type DeviceId, DELETION_DELAY_MS, type LearnerId } from '@parley/domain';
import { and, eq, gt, isNull, ne } from 'drizzle-orm';
import type { Database } from '../../db/client.ts';
import { accountDeletions, devices, tables } from '../../db/tables.ts';

/**
 * The device copies its data to the new account under new ids, and what remains could never be reached again. The account is kept if a
 * device returns to it, as happens when the answer to the move was lost.
 */
export async function scheduleAbandonedAccountErasure(
  tx: Database,
  { left, deviceId, leftFor, at }: { left: LearnerId; deviceId: DeviceId; leftFor: LearnerId; at: Date },
): Promise<void> {
  const others = and(eq(devices.userId, left), isNull(devices.revokedAt), ne(devices.deviceId, deviceId));
  if ((await tx.$count(devices, others)) > 0) return;
  const eraseAt = new Date(at.getTime() + DELETION_DELAY_MS);
  await tx.insert(accountDeletions).values({ userId: left, requestedAt: at, eraseAt, leftFor }).onConflictDoNothing();
}

/** Whether a device has returned to an account that was to be erased without a request, or the account was given an address. */
export async function hasReturned(db: Database, userId: string): Promise<boolean> {
  const [left] = await db
    .select({ leftFor: accountDeletions.leftFor, requestedAt: accountDeletions.requestedAt, email: tables.users.email })
    .from(accountDeletions)
    .innerJoin(tables.users, eq(tables.users.userId, accountDeletions.userId))
    .where(eq(accountDeletions.userId, userId));
  if (left === undefined || left.leftFor === null) return false;
  const seenSince = and(eq(devices.userId, userId), gt(devices.lastSeenAt, left.requestedAt));
  return left.email !== null || (await db.$count(devices, seenSince)) > 0;
}
