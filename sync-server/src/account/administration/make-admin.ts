/** Makes the owner of an address an admin on the instruction of the server's operator. */
import { and, eq, isNull } from 'drizzle-orm';
import type { Database } from '../../db/client.ts';
import { tables } from '../../db/tables.ts';
import { nextVersion, writeUser } from '../account-rows.ts';
import { recordAudit } from '../audit-log.ts';

export async function makeAdmin(
  db: Database,
  { email, now }: { email: string; now: Date },
): Promise<'granted' | 'is_admin' | 'no_account'> {
  return db.transaction(async (tx) => {
    const { users } = tables;
    const [user] = await tx
      .select({ userId: users.userId, isAdmin: users.isAdmin, hasAccess: users.hasAccess })
      .from(users)
      .where(and(eq(users.email, email), isNull(users.deletedAt)));
    if (user === undefined) return 'no_account';
    if (user.isAdmin) return 'is_admin';
    const version = await nextVersion(tx, user.userId);
    if (version === null) return 'no_account';
    const byOperator = { at: now, actorId: null, subjectId: user.userId, reason: 'operator' };
    await writeUser(tx, user.userId, {
      isAdmin: true,
      ...(user.hasAccess ? {} : { hasAccess: true, accessDate: now }),
      version,
      at: now,
    });
    if (!user.hasAccess) await recordAudit(tx, { ...byOperator, act: 'access_granted' });
    await recordAudit(tx, { ...byOperator, act: 'admin_granted' });
    return 'granted';
  });
}
