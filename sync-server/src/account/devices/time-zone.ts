/**
 * The time zone for a learner's e-mails and pages: that of the most recently used device, because browsers do not send
 * theirs.
 */
import { isKnownTimeZone } from '@parley/domain';
import { and, desc, eq, isNotNull } from 'drizzle-orm';
import type { Database } from '../../db/client.ts';
import { devices } from '../../db/tables.ts';

export const DEFAULT_TIME_ZONE = 'UTC';

export async function readTimeZone(db: Database, userId: string): Promise<string> {
  const [device] = await db
    .select({ timeZone: devices.timeZone })
    .from(devices)
    .where(and(eq(devices.userId, userId), isNotNull(devices.timeZone)))
    .orderBy(desc(devices.lastSeenAt))
    .limit(1);
  const timeZone = device?.timeZone ?? DEFAULT_TIME_ZONE;
  return isKnownTimeZone(timeZone) ? timeZone : DEFAULT_TIME_ZONE;
}
