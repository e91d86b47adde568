/** An admin's actions on individual learners that belong to no other feature. */
import { randomUUID } from 'node:crypto';
import { sql } from 'drizzle-orm';
import {
  type EnqueueAccountMail,
  lockAddress,
  nextVersion,
  readUser,
  recordAudit,
  writeUser,
} from '../account/index.ts';
import { DomainError } from '../domain-error.ts';
import type { Database } from '../db/client.ts';
import { tables } from '../db/tables.ts';

export interface LearnerActionParts {
  db: Database;
  now: () => Date;
  mail: EnqueueAccountMail;
  /** A link that signs the learner in, valid for days. */
  makeAccessLink: (tx: Database, to: { email: string }) => Promise<string>;
  onChanged: (userId: string, version: number) => void;
}

/** Throws `account.no_email`, and `access.required` for a learner without access. */
export const sendAccessLink = (parts: LearnerActionParts, asked: { actorId: string; userId: string }): Promise<void> =>
  parts.db.transaction((tx) => enqueueAccessLink(tx, parts, asked));

async function enqueueAccessLink(
  tx: Database,
  { now, mail, makeAccessLink }: LearnerActionParts,
  { actorId, userId }: { actorId: string; userId: string },
): Promise<void> {
  const user = await readUser(tx, userId);
  if (user === null) throw new DomainError('request.invalid', { field: 'userId' });
  if (user.email === null) throw new DomainError('account.no_email');
  if (!user.hasAccess) throw new DomainError('access.required');
  const data = { firstName: user.firstName, link: await makeAccessLink(tx, { email: user.email.toLowerCase() }) };
  await mail(tx, { userId, to: user.email, kind: 'access_link', step: randomUUID(), data });
  await recordAudit(tx, { at: now(), actorId, subjectId: userId, act: 'access_link_sent' });
}

/**
 * Corrects the address of a learner who has never signed in, and sends the link there. Throws `auth.forbidden` for any other learner,
 * because the account belongs to the person who reads that address.
 */
export async function correctAddress(
  parts: LearnerActionParts,
  { actorId, userId, email }: { actorId: string; userId: string; email: string },
): Promise<void> {
  const { db, now, onChanged } = parts;
  const changedVersion = await db.transaction(async (tx) => {
    // Two corrections to the same address, or its owner signing in meanwhile, are serialised.
    await lockAddress(tx, email);
    const version = await nextVersion(tx, userId);
    const user = await readUser(tx, userId);
    if (version === null || user === null) throw new DomainError('request.invalid', { field: 'userId' });
    if (user.lastLoginAt !== null) throw new DomainError('auth.forbidden', { detail: 'signed_in' });
    if (user.email === email) return null;
    const taken = await tx.$count(tables.users, sql`lower(${tables.users.email}) = ${email}`);
    if (taken > 0) throw new DomainError('request.invalid', { field: 'email', detail: 'taken' });
    await writeUser(tx, userId, { email, version, at: now() });
    // The addresses themselves stay out of the log, which outlives the account.
    await recordAudit(tx, { at: now(), actorId, subjectId: userId, act: 'address_corrected' });
    // In the same transaction, because once the address is stored, a repeated call would find nothing to correct and
    // send no link.
    if (user.hasAccess) await enqueueAccessLink(tx, parts, { actorId, userId });
    return version;
  });
  if (changedVersion !== null) onChanged(userId, changedVersion);
}
