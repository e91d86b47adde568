/** Changes a learner's row so that their devices get it. */
import { nextHybridTime } from '@parley/domain';
import { eq, sql } from 'drizzle-orm';
import { userScope } from '../account/index.ts';
import type { Database } from '../db/client.ts';
import { syncScopes, tables } from '../db/tables.ts';

/** In the times of edits: no device bears it. */
const SERVER_ID = '00000000-0000-0000-0000-000000000000';

/** Holds all that is written for this learner back until the transaction ends; false when there is no such learner any more. */
export async function lockLearner(tx: Database, userId: string): Promise<boolean> {
  const locked = await tx
    .select()
    .from(syncScopes)
    .where(eq(syncScopes.scope, userScope(userId)))
    .for('update');
  return locked.length > 0;
}

async function nextVersion(tx: Database, userId: string): Promise<number | null> {
  const [scope] = await tx
    .update(syncScopes)
    .set({ version: sql`${syncScopes.version} + 1` })
    .where(eq(syncScopes.scope, userScope(userId)))
    .returning();
  return scope?.version ?? null;
}

/** Fields that no device writes. Returns the new version, or null when the row has them already. */
export async function writeAccountFields(
  tx: Database,
  userId: string,
  { fields, at }: { fields: Partial<typeof tables.users.$inferInsert>; at: Date },
): Promise<number | null> {
  const [user] = await tx.select().from(tables.users).where(eq(tables.users.userId, userId));
  const names = Object.keys(fields) as (keyof typeof fields)[];
  if (user === undefined || names.every((name) => user[name] === fields[name])) return null;
  const version = await nextVersion(tx, userId);
  if (version === null) return null;
  await tx
    .update(tables.users)
    .set({ ...fields, updatedAt: at, syncVersion: version })
    .where(eq(tables.users.userId, userId));
  return version;
}

/** The learner's own switch, turned off in their name: later than whatever a device has said of it so far. */
export async function turnRemindersOff(tx: Database, userId: string, at: Date): Promise<number | null> {
  if (!(await lockLearner(tx, userId))) return null;
  const [user] = await tx.select().from(tables.users).where(eq(tables.users.userId, userId));
  if (user?.emailNotifications !== true) return null;
  const last = user.fieldClocks['emailNotifications'] ?? user.fieldClocks['*'] ?? null;
  const time = nextHybridTime(last, { ms: at.getTime(), deviceId: SERVER_ID });
  const version = await nextVersion(tx, userId);
  if (version === null) return null;
  await tx
    .update(tables.users)
    .set({
      emailNotifications: false,
      fieldClocks: { ...user.fieldClocks, emailNotifications: time },
      updatedAt: at,
      syncVersion: version,
    })
    .where(eq(tables.users.userId, userId));
  return version;
}
