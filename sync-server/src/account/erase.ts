/** Erases a learner from every table: what is theirs goes, what a day has cost and who decided what stays, without them. */
import { DeviceId, ENTITY_KEYS, entities, type EntityKey } from '@parley/domain';
import { and, eq, getTableColumns, inArray, lte, or, sql } from 'drizzle-orm';
import type { AnyPgColumn, PgTable } from 'drizzle-orm/pg-core';
import type { Database } from '../db/client.ts';
import {
  accountDeletions,
  aiLeases,
  aiReservations,
  aiUsage,
  auditLog,
  devices,
  linkCodes,
  mails,
  planOutlooks,
  rejections,
  signIns,
  syncScopes,
  tables,
  webSessions,
} from '../db/tables.ts';
import { nextVersion, readUser, userScope } from './account-rows.ts';
import { audit } from './audit.ts';

/** Children before the rows that they refer to; the learner's own row comes last. */
export const LEARNER_KEYS: readonly EntityKey[] = ENTITY_KEYS.toReversed().filter(
  (key) => key !== 'users' && 'userId' in entities[key].fields,
);

export function ownerColumn(key: EntityKey): AnyPgColumn {
  const column = (getTableColumns(tables[key] as PgTable) as Record<string, AnyPgColumn>)['userId'];
  if (column === undefined) throw new Error(`${key} names no learner`);
  return column;
}

/** The devices that were theirs; null: they have thought again, or another server was faster. */
export async function eraseLearner(
  tx: Database,
  { userId, at }: { userId: string; at: Date },
): Promise<DeviceId[] | null> {
  const isTheirs = eq(devices.userId, userId);
  // Devices first, as a push locks them: one that is under way ends before, one that comes later finds no device.
  const theirDevices = await tx.select().from(devices).where(isTheirs).orderBy(devices.deviceId).for('update');
  await nextVersion(tx, userId);
  const [due] = await tx
    .delete(accountDeletions)
    .where(and(eq(accountDeletions.userId, userId), lte(accountDeletions.eraseAt, at)))
    .returning();
  const user = await readUser(tx, userId);
  if (due === undefined || user === null) return null;
  const { email } = user;

  for (const key of LEARNER_KEYS) await tx.delete(tables[key]).where(eq(ownerColumn(key), userId));
  const deviceIds = theirDevices.map(({ deviceId }) => DeviceId.parse(deviceId));
  if (deviceIds.length > 0) await tx.delete(rejections).where(inArray(rejections.deviceId, deviceIds));
  await tx.delete(devices).where(isTheirs);
  await tx.delete(linkCodes).where(eq(linkCodes.userId, userId));
  await tx.delete(webSessions).where(eq(webSessions.userId, userId));
  await tx.delete(planOutlooks).where(eq(planOutlooks.userId, userId));
  await tx.delete(aiLeases).where(eq(aiLeases.userId, userId));
  await tx.delete(aiReservations).where(eq(aiReservations.userId, userId));
  // Admins were told of an address that could not be reached.
  const isOfThem = and(eq(mails.kind, 'link_lost'), eq(mails.step, userId));
  await tx
    .delete(mails)
    .where(or(eq(mails.userId, userId), isOfThem, email === null ? undefined : eq(mails.to, email)));
  if (email !== null) await tx.delete(signIns).where(eq(signIns.email, email));
  // The name of an entry holds its session's.
  await tx
    .update(aiUsage)
    .set({ userId: null, sessionId: null, id: sql`'erased:' || gen_random_uuid()` })
    .where(eq(aiUsage.userId, userId));
  // What was decided stays, the words about it do not: they may name the person.
  await tx.update(auditLog).set({ reason: null, details: {} }).where(eq(auditLog.subjectId, userId));
  await audit(tx, { at, actorId: null, subjectId: userId, act: 'account_erased' });
  await tx.delete(tables.users).where(eq(tables.users.userId, userId));
  await tx.delete(syncScopes).where(eq(syncScopes.scope, userScope(userId)));
  return deviceIds;
}
