/** Keeps an account without an address reachable, because only a signed-in device can open it. */
import { and, eq, isNull } from 'drizzle-orm';
import type { Database } from '../../db/client.ts';
import { devices, tables } from '../../db/tables.ts';
import { DomainError } from '../../domain-error.ts';

/**
 * Throws `account.no_email` when no other device could open the account. The account's devices stay locked, so that two
 * devices that are signed out at the same time do not count each other. If the account has an address, its devices are
 * not locked, because signing all of them out locks them in another order.
 */
export async function requireOtherWayIn(
  tx: Database,
  { userId, deviceId }: { userId: string; deviceId: string },
): Promise<void> {
  const [user] = await tx
    .select({ email: tables.users.email })
    .from(tables.users)
    .where(eq(tables.users.userId, userId));
  if (user === undefined || user.email !== null) return;
  const signedIn = await tx
    .select({ deviceId: devices.deviceId })
    .from(devices)
    .where(and(eq(devices.userId, userId), isNull(devices.revokedAt)))
    .orderBy(devices.deviceId)
    .for('update');
  if (!signedIn.some((device) => device.deviceId !== deviceId)) throw new DomainError('account.no_email');
}
