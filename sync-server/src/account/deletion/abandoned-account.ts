/** Schedules the erasure of an account without an address when its last device moves to another account. */
import { type DeviceId, DELETION_DELAY_MS, type LearnerId } from '@parley/domain';
import { and, eq, isNull, ne } from 'drizzle-orm';
import type { Database } from '../../db/client.ts';
import { accountDeletions, devices } from '../../db/tables.ts';

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
