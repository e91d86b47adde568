/**
 * Schedules the erasure of accounts without an address that no device uses any more, because anyone can register one
 * without proving anything.
 */
import { DELETION_DELAY_MS } from '@parley/domain';
import { and, eq, isNull, lte, notExists, or, sql } from 'drizzle-orm';
import type { Database } from '../../db/client.ts';
import { recordingBlobs } from '../../db/recording-tables.ts';
import { accountDeletions, devices, syncScopes, tables } from '../../db/tables.ts';
import { FIRST_VERSION } from '../account-rows.ts';

const DAY_MS = 24 * 3_600_000;
/** How long a device may be away from an account to which nothing was ever written. */
const NEVER_WRITTEN_MS = 7 * DAY_MS;
/**
 * How long a device may be away from an account that contains something: longer than a summer, a school year or
 * parental leave.
 */
const WRITTEN_MS = 400 * DAY_MS;
/** Limits a run even after a flood of registrations; the next run continues. */
const ACCOUNTS_PER_RUN = 2_000;

/**
 * Returns how many accounts it scheduled. Nothing is lost: a device that comes back registers the same ids and sends
 * everything again. Accounts that a device cannot send again are left alone: those with a second device or with kept
 * recordings, and those about which an admin has decided. As with an account that its device has left for another one
 * (`leftFor`), the account is kept if its device is seen before the erasure.
 */
export async function scheduleUnusedAccounts({ db, now }: { db: Database; now: () => Date }): Promise<number> {
  const at = now();
  const before = (ms: number): Date => new Date(at.getTime() - ms);
  const { users } = tables;
  const wasNeverWritten = eq(syncScopes.version, FIRST_VERSION);
  const unused = await db
    .select({ userId: users.userId, version: syncScopes.version })
    .from(users)
    .innerJoin(syncScopes, eq(syncScopes.scope, sql`'user:' || ${users.userId}`))
    .innerJoin(devices, eq(devices.userId, users.userId))
    .where(
      and(
        isNull(users.email),
        isNull(users.accessDate),
        eq(users.isAdmin, false),
        or(
          lte(devices.lastSeenAt, before(WRITTEN_MS)),
          and(wasNeverWritten, lte(devices.lastSeenAt, before(NEVER_WRITTEN_MS))),
        ),
        eq(db.$count(devices, eq(devices.userId, users.userId)), 1),
        notExists(db.select().from(recordingBlobs).where(eq(recordingBlobs.userId, users.userId))),
        notExists(db.select().from(accountDeletions).where(eq(accountDeletions.userId, users.userId))),
      ),
    )
    .orderBy(devices.lastSeenAt)
    .limit(ACCOUNTS_PER_RUN);
  if (unused.length === 0) return 0;
  const rows = unused.map(({ userId, version }) => {
    const delayMs = version === FIRST_VERSION ? 0 : DELETION_DELAY_MS;
    return { userId, requestedAt: at, eraseAt: new Date(at.getTime() + delayMs), leftFor: userId };
  });
  const scheduled = await db.insert(accountDeletions).values(rows).onConflictDoNothing().returning();
  return scheduled.length;
}
