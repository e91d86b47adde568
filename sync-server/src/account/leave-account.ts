/** A device that moves to another account may be the last one of the account that it leaves. */
import { type DeviceId, ERASE_AFTER_MS, type LearnerId } from '@parley/domain';
import { and, eq, isNull, ne } from 'drizzle-orm';
import type { Database } from '../db/client.ts';
import { accountDeletions, devices } from '../db/tables.ts';

/**
 * Of an account without an address. The device brings all that it held to its new one, under new ids; what stays behind nobody could ever
 * reach or erase again. It is erased in time, unless a device comes back to it, as one does that never got this answer.
 */
export async function leaveAccount(
  tx: Database,
  { left, deviceId, leftFor, at }: { left: LearnerId; deviceId: DeviceId; leftFor: LearnerId; at: Date },
): Promise<void> {
  const others = and(eq(devices.userId, left), isNull(devices.revokedAt), ne(devices.deviceId, deviceId));
  if ((await tx.$count(devices, others)) > 0) return;
  const eraseAt = new Date(at.getTime() + ERASE_AFTER_MS);
  await tx.insert(accountDeletions).values({ userId: left, requestedAt: at, eraseAt, leftFor }).onConflictDoNothing();
}
