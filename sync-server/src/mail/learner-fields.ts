/** Writes the fields of a learner's row that mail changes, so that their devices receive them. */
import { nextHybridTime } from '@parley/domain';
import { lockLearner, nextVersion, readUser, SERVER_DEVICE_ID, writeUser } from '../account/index.ts';
import type { Database } from '../db/client.ts';
import type { tables } from '../db/tables.ts';

/** Writes fields that no device writes. Returns the new version, or null when nothing changes. */
export async function writeAccountFields(
  tx: Database,
  userId: string,
  { fields, at }: { fields: Partial<typeof tables.users.$inferInsert>; at: Date },
): Promise<number | null> {
  const user = await readUser(tx, userId);
  const names = Object.keys(fields) as (keyof typeof fields)[];
  if (user === null || names.every((name) => user[name] === fields[name])) return null;
  const version = await nextVersion(tx, userId);
  if (version === null) return null;
  await writeUser(tx, userId, { ...fields, version, at });
  return version;
}

/** Turns off the learner's reminder setting with a timestamp later than any that a device has written, so that this change wins. */
export async function turnRemindersOff(tx: Database, userId: string, at: Date): Promise<number | null> {
  if (!(await lockLearner(tx, userId))) return null;
  const user = await readUser(tx, userId);
  if (user?.emailNotifications !== true) return null;
  const last = user.fieldClocks['emailNotifications'] ?? user.fieldClocks['*'] ?? null;
  const time = nextHybridTime(last, { ms: at.getTime(), deviceId: SERVER_DEVICE_ID });
  const version = await nextVersion(tx, userId);
  if (version === null) return null;
  const fieldClocks = { ...user.fieldClocks, emailNotifications: time };
  await writeUser(tx, userId, { emailNotifications: false, fieldClocks, version, at });
  return version;
}
