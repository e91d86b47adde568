/** Account deletion: it is requested, can be withdrawn for thirty days, and then erases everything of the learner. */
import { type DeviceId, DELETION_DELAY_MS, type LearnerId, planAtDeletion } from '@parley/domain';
import { and, eq, gte, isNotNull, isNull, lte } from 'drizzle-orm';
import type { Database } from '../../db/client.ts';
import { accountDeletions } from '../../db/tables.ts';
import { isAccessRevoked, requireAnotherAdmin } from '../access/access.ts';
import { nextVersion, readUser } from '../account-rows.ts';
import { readTimeZone } from '../devices/time-zone.ts';
import { recordAudit } from '../audit-log.ts';
import { isUsedAgain } from './abandoned-account.ts';
import { eraseLearner, listErased } from './erase-learner.ts';
import { readCurrentSubscription } from '../plan/current-subscription.ts';
import type { EnqueueAccountMail } from '../account-mail.ts';

export interface Deletion {
  /**
   * Repeating a request keeps the first date. Throws `account.last_admin`. `by` is the requesting admin, if the learner
   * did not request it.
   */
  request: (userId: string, by?: { actorId: string; reason: string | null }) => Promise<void>;
  withdraw: (userId: string, by?: { actorId: string; reason: string | null }) => Promise<void>;
  /** Returns those of the accounts that were erased because the learner or an admin asked for it. */
  listErased: (userIds: readonly LearnerId[]) => Promise<LearnerId[]>;
}

export interface DeletionParts {
  db: Database;
  now: () => Date;
  mail: EnqueueAccountMail;
  /** The address of the page where the learner can withdraw the deletion. */
  keepUrl: string;
  /** Called after the transaction, so that billing cancels the learner's plan or resumes it. Never throws. */
  onDeletionChanged: (userId: string) => Promise<void>;
}

export function createDeletion(parts: DeletionParts): Deletion {
  const { db, now, onDeletionChanged } = parts;
  return {
    async request(userId, by = { actorId: userId, reason: null }) {
      await db.transaction((tx) => recordRequest(tx, parts, { userId, by }));
      await onDeletionChanged(userId);
    },
    async withdraw(userId, by = { actorId: userId, reason: null }) {
      await db.transaction(async (tx) => {
        const gone = await tx.delete(accountDeletions).where(eq(accountDeletions.userId, userId)).returning();
        if (gone.length === 0) return;
        await recordAudit(tx, { at: now(), ...by, subjectId: userId, act: 'deletion_withdrawn' });
      });
      await onDeletionChanged(userId);
    },
    listErased: (userIds) => listErased(db, userIds),
  };
}

async function recordRequest(
  tx: Database,
  { now, mail, keepUrl }: DeletionParts,
  { userId, by }: { userId: string; by: { actorId: string; reason: string | null } },
): Promise<void> {
  await nextVersion(tx, userId);
  const user = await readUser(tx, userId);
  if (user === null) return;
  if (user.isAdmin) await requireAnotherAdmin(tx, userId);
  const at = now();
  const eraseAt = new Date(at.getTime() + DELETION_DELAY_MS);
  const asked = { requestedAt: at, eraseAt, leftFor: null };
  const [before] = await tx.select().from(accountDeletions).where(eq(accountDeletions.userId, userId));
  if (before?.leftFor === null) return;
  await tx
    .insert(accountDeletions)
    .values({ userId, ...asked })
    .onConflictDoUpdate({ target: accountDeletions.userId, set: asked });
  await recordAudit(tx, { at, ...by, subjectId: userId, act: 'deletion_requested' });
  if (user.email === null) return;
  const held = await readCurrentSubscription(tx, userId);
  const data = {
    firstName: user.firstName,
    eraseAt,
    timeZone: await readTimeZone(tx, userId),
    keepUrl,
    askedBy: by.actorId === userId ? ('learner' as const) : ('admin' as const),
    plan: planAtDeletion(held, { eraseAt, hasAccess: !(await isAccessRevoked(tx, userId)) }),
  };
  await mail(tx, { userId, to: user.email, kind: 'goodbye', step: at.toISOString(), data });
}

/** Whether the learner has requested deletion. An account that is erased without a request does not count. */
export const isDeletionRequested = async (db: Database, userId: string): Promise<boolean> =>
  (await db.$count(accountDeletions, and(eq(accountDeletions.userId, userId), isNull(accountDeletions.leftFor)))) > 0;

/** The ids of the learners who have requested deletion, optionally only since a given time. */
export async function readDeletionRequestedUserIds(db: Database, since?: Date): Promise<ReadonlySet<string>> {
  const { userId, leftFor, requestedAt } = accountDeletions;
  const isRecent = since && gte(requestedAt, since);
  const rows = await db
    .select({ userId })
    .from(accountDeletions)
    .where(and(isNull(leftFor), isRecent));
  return new Set(rows.map((row) => row.userId));
}

export interface EraseParts {
  db: Database;
  now: () => Date;
  /**
   * Removes what external services hold about the learner, such as a payment provider. If it throws, the whole erasure is retried later.
   */
  beforeErase?: (userId: string) => Promise<void>;
  /** A connected device must stop using the account. */
  onDeviceSignedOut?: (deviceId: DeviceId) => void;
  /** Called when one learner could not be erased. The others still are. */
  onFailure: (error: unknown) => void;
}

/**
 * Erases every learner whose deletion is due and returns how many. Each learner is erased once, even if two servers run
 * this at the same time.
 */
export async function eraseDueAccounts({
  db,
  now,
  beforeErase,
  onDeviceSignedOut,
  onFailure,
}: EraseParts): Promise<number> {
  const due = await db.select().from(accountDeletions).where(lte(accountDeletions.eraseAt, now()));
  let erased = 0;
  for (const { userId } of due) {
    try {
      if (await isUsedAgain(db, userId)) {
        // The learner may have requested deletion since.
        const isUnasked = and(eq(accountDeletions.userId, userId), isNotNull(accountDeletions.leftFor));
        await db.delete(accountDeletions).where(isUnasked);
      } else {
        await beforeErase?.(userId);
        const gone = await db.transaction((tx) => eraseLearner(tx, { userId, at: now() }));
        if (gone === null) continue;
        erased += 1;
        for (const deviceId of gone) onDeviceSignedOut?.(deviceId);
      }
    } catch (error) {
      onFailure(error);
    }
  }
  return erased;
}
