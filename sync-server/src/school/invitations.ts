/** Opens accounts with access for addresses that an admin has pasted. Each invitation is one transaction with its mail. */
import { randomUUID } from 'node:crypto';
import type { Invitation } from '@parley/contract';
import { LearnerId } from '@parley/domain';
import { sql } from 'drizzle-orm';
import { type Access, insertUser, lockAddress, newUserRow } from '../account/index.ts';
import type { Database } from '../db/client.ts';
import { tables } from '../db/tables.ts';

export interface InvitationParts {
  db: Database;
  now: () => Date;
  access: Pick<Access, 'grant'>;
}

export async function invite(
  { db, now, access }: InvitationParts,
  asked: { actorId: string; invitations: readonly Invitation[]; reason: string | null },
): Promise<{ invited: number; hadAccess: string[] }> {
  const hadAccess: string[] = [];
  let invited = 0;
  for (const { email, firstName, lastName } of asked.invitations) {
    const known = await findByAddress(db, email);
    if (known?.hasAccess === true) {
      hadAccess.push(email);
      continue;
    }
    const userId =
      known?.userId ??
      (await db.transaction(async (tx) => {
        await lockAddress(tx, email);
        const user = await insertUser(tx, {
          ...newUserRow(LearnerId.parse(randomUUID()), now()),
          email,
          firstName: firstName === '' ? null : firstName,
          lastName: lastName === '' ? null : lastName,
          lastLoginAt: null,
        });
        // Another admin, or the learner, may have just opened the account.
        return user?.userId ?? (await findByAddress(tx, email))?.userId ?? null;
      }));
    if (userId === null) throw new Error('the invited account was erased during the call');
    await access.grant({ actorId: asked.actorId, subjectId: userId, reason: asked.reason });
    invited += 1;
  }
  return { invited, hadAccess };
}

async function findByAddress(db: Database, email: string): Promise<{ userId: string; hasAccess: boolean } | undefined> {
  const { userId, hasAccess, email: address } = tables.users;
  const [found] = await db
    .select({ userId, hasAccess })
    .from(tables.users)
    .where(sql`lower(${address}) = ${email}`);
  return found;
}
