/** Which account somebody comes into who has proved an address: their own, which gets it, or the one that has it, or a new one. */
import { randomUUID } from 'node:crypto';
import { LearnerId } from '@parley/domain';
import { eq, sql } from 'drizzle-orm';
import type { Database } from '../db/client.ts';
import { devices, tables } from '../db/tables.ts';
import type { SignedInDevice } from './account.ts';
import { addUser, newUser, nextVersion, readUser, type UserRow, writeUser } from './account-rows.ts';
import { audit } from './audit.ts';

export interface Entrance {
  email: string;
  /** The device that asks, on the account that it has been on; null: it has none, or a browser asks. */
  bearer: SignedInDevice | null;
  by: 'code' | 'link';
  on: 'device' | 'browser';
}

export interface Entered {
  userId: LearnerId;
  /** Of the learner's row, for the devices to hear of. */
  version: number;
  /** The bearer's account is this one, before or from here on. */
  isSameAccount: boolean;
  /** The bearer's former account, when nobody has proved an address for it. */
  left: LearnerId | null;
}

export interface EntryRules {
  now: () => Date;
  /** Whether everybody is let in who has an address. */
  letsIn: boolean;
  /** In lower case. */
  adminEmails: ReadonlySet<string>;
}

/** Call it under the address's lock, which a spent message holds: two devices with one address so end in one account. */
export async function enterAccount(tx: Database, rules: EntryRules, entrance: Entrance): Promise<Entered> {
  const { email, bearer } = entrance;
  if (bearer !== null) await tx.select().from(devices).where(eq(devices.deviceId, bearer.deviceId)).for('update');
  const [owner] = await tx
    .select({ userId: tables.users.userId })
    .from(tables.users)
    .where(sql`lower(${tables.users.email}) = ${email}`);
  if (owner !== undefined) return welcome(tx, rules, { ...entrance, userId: LearnerId.parse(owner.userId) });
  // Its scope is locked before its row is looked at: another of its devices may just be proving another address.
  const version = bearer === null ? null : await nextVersion(tx, bearer.userId);
  const own = bearer === null ? null : await readUser(tx, bearer.userId);
  if (bearer !== null && version !== null && own !== null && own.email === null)
    return write(tx, rules, { ...entrance, user: own, version, left: null });
  const userId = LearnerId.parse(randomUUID());
  if ((await addUser(tx, { ...newUser(userId, rules.now()), email })) === null)
    throw new Error('an account was not made');
  return welcome(tx, rules, { ...entrance, userId });
}

async function welcome(tx: Database, rules: EntryRules, to: Entrance & { userId: LearnerId }): Promise<Entered> {
  const { userId, bearer } = to;
  const former = bearer === null || bearer.userId === userId ? null : await readUser(tx, bearer.userId);
  const version = await nextVersion(tx, userId);
  const user = await readUser(tx, userId);
  if (version === null || user === null) throw new Error('an account has gone while somebody came into it');
  const left = former !== null && former.email === null ? LearnerId.parse(former.userId) : null;
  return write(tx, rules, { ...to, user, version, left });
}

interface Writing extends Entrance {
  user: UserRow;
  version: number;
  left: LearnerId | null;
}

async function write(tx: Database, { now, letsIn, adminEmails }: EntryRules, entry: Writing): Promise<Entered> {
  const { user, version, email, bearer, by, on, left } = entry;
  const userId = LearnerId.parse(user.userId);
  const at = now();
  const becomesAdmin = !user.isAdmin && adminEmails.has(email);
  // From whom access was taken they do not get it back by signing in.
  const isLetIn = !user.hasAccess && (becomesAdmin || (letsIn && user.accessDate === null));
  await writeUser(tx, userId, {
    email,
    lastLoginAt: at,
    ...(isLetIn ? { hasAccess: true, accessDate: at } : {}),
    ...(becomesAdmin ? { isAdmin: true } : {}),
    version,
    at,
  });
  await audit(tx, { at, actorId: userId, subjectId: userId, act: 'signed_in', details: { by, on } });
  const byServer = { at, actorId: null, subjectId: userId, reason: becomesAdmin ? 'ADMIN_EMAILS' : 'ACCESS=open' };
  if (isLetIn) await audit(tx, { ...byServer, act: 'access_granted' });
  if (becomesAdmin) await audit(tx, { ...byServer, act: 'admin_granted' });
  return { userId, version, isSameAccount: bearer?.userId === userId, left };
}
