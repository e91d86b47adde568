/** Leaving for good: asked for, thirty days to think again, then everything of the learner is erased. */
import { type DeviceId, ERASE_AFTER_MS, planAtLeaving } from '@parley/domain';
import { and, desc, eq, gt, isNotNull, isNull, lte } from 'drizzle-orm';
import type { Database } from '../db/client.ts';
import { accountDeletions, devices, tables } from '../db/tables.ts';
import { isAccessTaken, requireAnotherAdmin } from './access.ts';
import { nextVersion, readUser } from './account-rows.ts';
import { audit } from './audit.ts';
import { eraseLearner } from './erase.ts';
import { readHeldPlan } from './held-plan.ts';
import type { EnqueueMail } from './mail-port.ts';

/** How often it is looked who is due. */
export const ERASE_EVERY_MS: number = 3_600_000;

export interface Deletion {
  /** Asked again, the days go on counting from the first time. Throws `account.last_admin`. */
  request: (userId: string) => Promise<void>;
  withdraw: (userId: string) => Promise<void>;
}

export interface DeletionParts {
  db: Database;
  now: () => Date;
  mail: EnqueueMail;
  /** Where they can think again. */
  keepUrl: string;
  /** After the transaction: whoever holds a plan of the learner's ends it, or lets it go on. Never throws. */
  leavingMoved: (userId: string) => Promise<void>;
}

export function createDeletion(parts: DeletionParts): Deletion {
  const { db, now, leavingMoved } = parts;
  return {
    async request(userId) {
      await db.transaction((tx) => noteRequest(tx, parts, userId));
      await leavingMoved(userId);
    },
    async withdraw(userId) {
      await db.transaction(async (tx) => {
        const gone = await tx.delete(accountDeletions).where(eq(accountDeletions.userId, userId)).returning();
        if (gone.length === 0) return;
        await audit(tx, { at: now(), actorId: userId, subjectId: userId, act: 'deletion_withdrawn' });
      });
      await leavingMoved(userId);
    },
  };
}

async function noteRequest(tx: Database, { now, mail, keepUrl }: DeletionParts, userId: string): Promise<void> {
  await nextVersion(tx, userId);
  const user = await readUser(tx, userId);
  if (user === null) return;
  if (user.isAdmin) await requireAnotherAdmin(tx, userId);
  const at = now();
  const eraseAt = new Date(at.getTime() + ERASE_AFTER_MS);
  const asked = { requestedAt: at, eraseAt, leftFor: null };
  const [before] = await tx.select().from(accountDeletions).where(eq(accountDeletions.userId, userId));
  if (before?.leftFor === null) return;
  await tx
    .insert(accountDeletions)
    .values({ userId, ...asked })
    .onConflictDoUpdate({ target: accountDeletions.userId, set: asked });
  await audit(tx, { at, actorId: userId, subjectId: userId, act: 'deletion_requested' });
  if (user.email === null) return;
  const held = await readHeldPlan(tx, userId);
  const data = {
    firstName: user.firstName,
    eraseAt,
    timeZone: await readTimeZone(tx, userId),
    keepUrl,
    plan: planAtLeaving(held, { eraseAt, hasAccess: !(await isAccessTaken(tx, userId)) }),
  };
  await mail(tx, { userId, to: user.email, kind: 'goodbye', step: at.toISOString(), data });
}

/** Whether a learner has asked to be erased; an account that a device left behind has not. */
export const isLeaving = async (db: Database, userId: string): Promise<boolean> =>
  (await db.$count(accountDeletions, and(eq(accountDeletions.userId, userId), isNull(accountDeletions.leftFor)))) > 0;

/** All who have. */
export async function readLeaving(db: Database): Promise<ReadonlySet<string>> {
  const { userId, leftFor } = accountDeletions;
  const rows = await db.select({ userId }).from(accountDeletions).where(isNull(leftFor));
  return new Set(rows.map((row) => row.userId));
}

/** Where they last were. */
async function readTimeZone(tx: Database, userId: string): Promise<string> {
  const [device] = await tx
    .select({ timeZone: devices.timeZone })
    .from(devices)
    .where(and(eq(devices.userId, userId), isNotNull(devices.timeZone)))
    .orderBy(desc(devices.lastSeenAt))
    .limit(1);
  return device?.timeZone ?? 'UTC';
}

export interface EraseParts {
  db: Database;
  now: () => Date;
  /** What others hold of the learner, such as a payment provider; tried again with the whole when it throws. */
  beforeErase?: (userId: string) => Promise<void>;
  /** A device of theirs that runs just now must not go on as if it were theirs. */
  signedOut?: (deviceId: DeviceId) => void;
  /** One could not be erased: the others are all the same. */
  onFailure: (error: unknown) => void;
}

/** Erases whoever's days are over; how many. Two servers that do it at once do each learner once. */
export async function eraseDue({ db, now, beforeErase, signedOut, onFailure }: EraseParts): Promise<number> {
  const due = await db.select().from(accountDeletions).where(lte(accountDeletions.eraseAt, now()));
  let erased = 0;
  for (const { userId } of due) {
    try {
      if (await hasComeBack(db, userId)) await db.delete(accountDeletions).where(eq(accountDeletions.userId, userId));
      else {
        await beforeErase?.(userId);
        const gone = await db.transaction((tx) => eraseLearner(tx, { userId, at: now() }));
        if (gone === null) continue;
        erased += 1;
        for (const deviceId of gone) signedOut?.(deviceId);
      }
    } catch (error) {
      onFailure(error);
    }
  }
  return erased;
}

/** To an account that a device left behind when it moved to another. */
async function hasComeBack(db: Database, userId: string): Promise<boolean> {
  const [left] = await db
    .select({ leftFor: accountDeletions.leftFor, requestedAt: accountDeletions.requestedAt, email: tables.users.email })
    .from(accountDeletions)
    .innerJoin(tables.users, eq(tables.users.userId, accountDeletions.userId))
    .where(eq(accountDeletions.userId, userId));
  if (left === undefined || left.leftFor === null) return false;
  const seenSince = and(eq(devices.userId, userId), gt(devices.lastSeenAt, left.requestedAt));
  return left.email !== null || (await db.$count(devices, seenSince)) > 0;
}
