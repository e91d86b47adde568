/** Erases a learner from every table. Costs and decisions are kept without the learner's identity. */
import { DeviceId, ENTITY_KEYS, entities, type EntityKey, type LearnerId } from '@parley/domain';
import { and, eq, getTableColumns, inArray, lte, or, sql } from 'drizzle-orm';
import type { AnyPgColumn, PgTable } from 'drizzle-orm/pg-core';
import type { Database } from '../../db/client.ts';
import { mails } from '../../db/mail-tables.ts';
import { recordingAccounts } from '../../db/recording-tables.ts';
import { aiLeases, aiReservations, aiUsage } from '../../db/metering-tables.ts';
import {
  accountDeletions,
  auditLog,
  devices,
  erasedAccounts,
  linkCodes,
  pendingPlanChanges,
  rejections,
  signIns,
  syncScopes,
  tables,
  webSessions,
} from '../../db/tables.ts';
import { classMembers, secondFactors } from '../../db/school-tables.ts';
import { FIRST_VERSION, nextVersion, readUser, userScope } from '../account-rows.ts';
import { recordAudit } from '../audit-log.ts';
import { hashSecret } from '../secrets.ts';
import { isUsedAgain } from './abandoned-account.ts';
import { eraseRecordings } from './erase-recordings.ts';

/** Children come before the rows that they refer to. The learner's own row is deleted last. */
export const LEARNER_ENTITY_KEYS: readonly EntityKey[] = ENTITY_KEYS.toReversed().filter(
  (key) => key !== 'users' && 'userId' in entities[key].fields,
);

export function ownerColumn(key: EntityKey): AnyPgColumn {
  const column = (getTableColumns(tables[key] as PgTable) as Record<string, AnyPgColumn>)['userId'];
  if (column === undefined) throw new Error(`${key} has no userId column`);
  return column;
}

/** Whether the account was erased because the learner or an admin asked for it. */
export const isErased = async (tx: Database, userId: string): Promise<boolean> =>
  (await tx.$count(erasedAccounts, eq(erasedAccounts.userIdHash, hashSecret(userId)))) > 0;

/** Returns those of the accounts that were erased because the learner or an admin asked for it. */
export async function listErased(db: Database, userIds: readonly LearnerId[]): Promise<LearnerId[]> {
  const hashes = new Map(userIds.map((userId) => [hashSecret(userId), userId]));
  const erased = await db
    .select({ hash: erasedAccounts.userIdHash })
    .from(erasedAccounts)
    .where(inArray(erasedAccounts.userIdHash, [...hashes.keys()]));
  return erased.flatMap(({ hash }) => hashes.get(hash) ?? []);
}

/** Returns the learner's device ids; null when the deletion was withdrawn, the account is used again, or another server was faster. */
export async function eraseLearner(
  tx: Database,
  { userId, at }: { userId: string; at: Date },
): Promise<DeviceId[] | null> {
  const isTheirs = eq(devices.userId, userId);
  // Devices are locked first, in the order that a push uses: a running push finishes first, and a later one finds no
  // device.
  const theirDevices = await tx.select().from(devices).where(isTheirs).orderBy(devices.deviceId).for('update');
  const version = await nextVersion(tx, userId);
  if (await isUsedAgain(tx, userId)) return null;
  const [due] = await tx
    .delete(accountDeletions)
    .where(and(eq(accountDeletions.userId, userId), lte(accountDeletions.eraseAt, at)))
    .returning();
  const user = await readUser(tx, userId);
  if (due === undefined || user === null) return null;
  const { email } = user;
  // An account that was unused, or left for another one, is not recorded as erased, so that its device can register it
  // again and send everything.
  if (due.leftFor === null)
    await tx
      .insert(erasedAccounts)
      .values({ userIdHash: hashSecret(userId), erasedAt: at })
      .onConflictDoNothing();

  for (const key of LEARNER_ENTITY_KEYS) await tx.delete(tables[key]).where(eq(ownerColumn(key), userId));
  const deviceIds = theirDevices.map(({ deviceId }) => DeviceId.parse(deviceId));
  if (deviceIds.length > 0) await tx.delete(rejections).where(inArray(rejections.deviceId, deviceIds));
  // A device that is sending a copy now waits for this row's lock, and then finds no row.
  await tx.delete(recordingAccounts).where(eq(recordingAccounts.userId, userId));
  await eraseRecordings(tx, { userId, at });
  await tx.delete(devices).where(isTheirs);
  await tx.delete(linkCodes).where(eq(linkCodes.userId, userId));
  await tx.delete(webSessions).where(eq(webSessions.userId, userId));
  await tx.delete(secondFactors).where(eq(secondFactors.userId, userId));
  await tx.delete(classMembers).where(eq(classMembers.userId, userId));
  await tx.delete(pendingPlanChanges).where(eq(pendingPlanChanges.userId, userId));
  await tx.delete(aiLeases).where(eq(aiLeases.userId, userId));
  await tx.delete(aiReservations).where(eq(aiReservations.userId, userId));
  // Notices to admins about this learner's unreachable address.
  const isAboutLearner = and(eq(mails.kind, 'link_lost'), eq(mails.step, userId));
  await tx
    .delete(mails)
    .where(or(eq(mails.userId, userId), isAboutLearner, email === null ? undefined : eq(mails.to, email)));
  if (email !== null) await tx.delete(signIns).where(eq(signIns.email, email));
  // A usage id contains the ids of the learner and the session, so it is replaced.
  await tx
    .update(aiUsage)
    .set({ userId: null, sessionId: null, id: sql`'erased:' || gen_random_uuid()` })
    .where(eq(aiUsage.userId, userId));
  // The decision stays in the log, but its reason and details may name the person, so they are removed.
  await tx
    .update(auditLog)
    .set({ reason: null, details: {}, before: null, after: null })
    .where(eq(auditLog.subjectId, userId));
  // Recording the erasure of an account that was empty, without a request, would only fill the log.
  const heldNothing = due.leftFor !== null && version === FIRST_VERSION + 1;
  if (!heldNothing) await recordAudit(tx, { at, actorId: null, subjectId: userId, act: 'account_erased' });
  await tx.delete(tables.users).where(eq(tables.users.userId, userId));
  await tx.delete(syncScopes).where(eq(syncScopes.scope, userScope(userId)));
  return deviceIds;
}
