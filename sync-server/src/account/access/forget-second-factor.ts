/** Removes an admin's authenticator app, so that the admin can set up another one. */
import { and, eq, isNull } from 'drizzle-orm';
import type { Database } from '../../db/client.ts';
import { secondFactors } from '../../db/school-tables.ts';
import { tables } from '../../db/tables.ts';
import { type AuditEntry, recordAudit } from '../audit-log.ts';

export async function forgetSecondFactor(
  tx: Database,
  entry: Pick<AuditEntry, 'at' | 'actorId' | 'subjectId' | 'reason'>,
): Promise<void> {
  const gone = await tx.delete(secondFactors).where(eq(secondFactors.userId, entry.subjectId)).returning();
  if (gone.length > 0) await recordAudit(tx, { ...entry, act: 'second_factor_removed' });
}

/** On the instruction of the server's operator, for a server whose only admin cannot enter a code. */
export async function forgetSecondFactorOf(
  db: Database,
  { email, now }: { email: string; now: Date },
): Promise<'removed' | 'has_none' | 'no_account'> {
  return db.transaction(async (tx) => {
    const { users } = tables;
    const [user] = await tx
      .select({ userId: users.userId })
      .from(users)
      .where(and(eq(users.email, email), isNull(users.deletedAt)));
    if (user === undefined) return 'no_account';
    const { userId } = user;
    if ((await tx.$count(secondFactors, eq(secondFactors.userId, userId))) === 0) return 'has_none';
    await forgetSecondFactor(tx, { at: now, actorId: null, subjectId: userId, reason: 'operator' });
    return 'removed';
  });
}
