/**
 * Accounts without an address that are erased without a request: scheduled when their last device moves away, kept when
 * they are used again.
 */
import { type DeviceId, DELETION_DELAY_MS, type LearnerId } from '@parley/domain';
import { and, eq, gt, isNull, ne, sql } from 'drizzle-orm';
import type { Database } from '../../db/client.ts';
import { accountDeletions, devices, tables } from '../../db/tables.ts';

/**
 * The device copies its data to the new account under new ids, and what remains could never be reached again. The
 * account is kept if a device returns to it, as happens when the response to the move was lost.
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

/**
 * The ids of accounts whose device has moved away with everything and has not returned, as a subquery. Until they are
 * erased, lists and statistics leave them out, because the learner and the practices are in the other account too.
 */
export const abandonedAccountIds = () => sql`(
  select d.user_id from account_deletions d
  where d.left_for <> d.user_id and not exists (
    select 1 from devices v where v.user_id = d.user_id and v.last_seen_at > d.requested_at))`;

/**
 * Whether an account that was to be erased without a request should be kept, because a device has returned to it or it
 * was given an address. An admin's decision also keeps an unused account, but not one whose device has moved away with
 * everything.
 */
export async function isUsedAgain(db: Database, userId: string): Promise<boolean> {
  const { users } = tables;
  const [left] = await db
    .select({
      leftFor: accountDeletions.leftFor,
      requestedAt: accountDeletions.requestedAt,
      email: users.email,
      accessDate: users.accessDate,
      isAdmin: users.isAdmin,
    })
    .from(accountDeletions)
    .innerJoin(users, eq(users.userId, accountDeletions.userId))
    .where(eq(accountDeletions.userId, userId));
  if (left === undefined || left.leftFor === null) return false;
  if (left.email !== null) return true;
  if (left.leftFor === userId && (left.accessDate !== null || left.isAdmin)) return true;
  const seenSince = and(eq(devices.userId, userId), gt(devices.lastSeenAt, left.requestedAt));
  return (await db.$count(devices, seenSince)) > 0;
}
