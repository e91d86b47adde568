/** Decides which account a proven address signs in to: the caller's own, which then gets the address, the one that has it, or a new one. */
import { randomUUID } from 'node:crypto';
import { LearnerId } from '@parley/domain';
import { eq, sql } from 'drizzle-orm';
import type { Database } from '../../db/client.ts';
import { devices, tables } from '../../db/tables.ts';
import type { SignedInDevice } from '../devices/device-registry.ts';
import { insertUser, newUserRow, nextVersion, readUser, type UserRow, writeUser } from '../account-rows.ts';
import { isRemovedAdmin } from '../administration/removed-admin.ts';
import { recordAudit } from '../audit-log.ts';

export interface ProvenSignIn {
  email: string;
  /** The calling device with its current account; null for a device without an account and for a browser. */
  bearer: SignedInDevice | null;
  by: 'code' | 'link';
  on: 'device' | 'browser';
}

export interface ResolvedAccount {
  userId: LearnerId;
  /** The new version of the learner's row, for poking the devices. */
  version: number;
  /** Whether the caller was already on this account. */
  isSameAccount: boolean;
  /** The caller's former account, when it has no address. */
  abandonedUserId: LearnerId | null;
}

export interface SignInRules {
  now: () => Date;
  /** Whether every learner with an address gets access. */
  grantsAccess: boolean;
  /** The address in lower case. */
  adminEmails: ReadonlySet<string>;
}

/** The account that has this address, in lower case. */
export async function findAccount(tx: Database, email: string): Promise<LearnerId | null> {
  const [owner] = await tx
    .select({ userId: tables.users.userId })
    .from(tables.users)
    .where(sql`lower(${tables.users.email}) = ${email}`);
  return owner === undefined ? null : LearnerId.parse(owner.userId);
}

/**
 * The caller must hold the address's lock, which spending an e-mail acquires, so that two devices with one address end
 * up in one account.
 */
export async function resolveAccount(
  tx: Database,
  rules: SignInRules,
  entrance: ProvenSignIn,
): Promise<ResolvedAccount> {
  const { email, bearer } = entrance;
  if (bearer !== null) await tx.select().from(devices).where(eq(devices.deviceId, bearer.deviceId)).for('update');
  const ownerId = await findAccount(tx, email);
  if (ownerId !== null) return signInToExisting(tx, rules, { ...entrance, userId: ownerId });
  // The scope is locked before the row is read, because another device of the account may be proving a different
  // address at the same time.
  const version = bearer === null ? null : await nextVersion(tx, bearer.userId);
  const own = bearer === null ? null : await readUser(tx, bearer.userId);
  if (bearer !== null && version !== null && own !== null && own.email === null)
    return recordSignIn(tx, rules, { ...entrance, user: own, version, abandonedUserId: null });
  const userId = LearnerId.parse(randomUUID());
  if ((await insertUser(tx, { ...newUserRow(userId, rules.now()), email })) === null)
    throw new Error('the new account could not be inserted');
  return signInToExisting(tx, rules, { ...entrance, userId });
}

async function signInToExisting(
  tx: Database,
  rules: SignInRules,
  to: ProvenSignIn & { userId: LearnerId },
): Promise<ResolvedAccount> {
  const { userId, bearer } = to;
  const former = bearer === null || bearer.userId === userId ? null : await readUser(tx, bearer.userId);
  const version = await nextVersion(tx, userId);
  const user = await readUser(tx, userId);
  if (version === null || user === null) throw new Error('the account was erased during the sign-in');
  const left = former !== null && former.email === null ? LearnerId.parse(former.userId) : null;
  return recordSignIn(tx, rules, { ...to, user, version, abandonedUserId: left });
}

interface SignInRecord extends ProvenSignIn {
  user: UserRow;
  version: number;
  abandonedUserId: LearnerId | null;
}

async function recordSignIn(
  tx: Database,
  { now, grantsAccess, adminEmails }: SignInRules,
  entry: SignInRecord,
): Promise<ResolvedAccount> {
  const { user, version, email, bearer, by, on, abandonedUserId } = entry;
  const userId = LearnerId.parse(user.userId);
  const at = now();
  const becomesAdmin = !user.isAdmin && adminEmails.has(email) && !(await isRemovedAdmin(tx, userId));
  // Signing in must not restore access that was revoked.
  const getsAccess = !user.hasAccess && (becomesAdmin || (grantsAccess && user.accessDate === null));
  await writeUser(tx, userId, {
    email,
    lastLoginAt: at,
    ...(getsAccess ? { hasAccess: true, accessDate: at } : {}),
    ...(becomesAdmin ? { isAdmin: true } : {}),
    version,
    at,
  });
  await recordAudit(tx, { at, actorId: userId, subjectId: userId, act: 'signed_in', details: { by, on } });
  const byServer = { at, actorId: null, subjectId: userId, reason: becomesAdmin ? 'ADMIN_EMAILS' : 'ACCESS=open' };
  if (getsAccess) await recordAudit(tx, { ...byServer, act: 'access_granted' });
  if (becomesAdmin) await recordAudit(tx, { ...byServer, act: 'admin_granted' });
  return { userId, version, isSameAccount: bearer?.userId === userId, abandonedUserId };
}
