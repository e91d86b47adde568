/** Decides who may use this server's coaches: access is requested, granted and revoked here, and checked on each call. */
import { and, eq, exists, gte, isNotNull, isNull, ne, notExists, sql } from 'drizzle-orm';
import type { Database } from '../../db/client.ts';
import { accountDeletions, auditLog, tables } from '../../db/tables.ts';
import { DomainError } from '../../domain-error.ts';
import { nextVersion, readUser, type UserRow, writeUser } from '../account-rows.ts';
import { recordAudit } from '../audit-log.ts';
import type { EnqueueAccountMail } from '../account-mail.ts';
import type { SignInEmails } from '../sign-in/sign-in-emails.ts';
import { readWaitingSince } from './access-requests.ts';
import { forgetSecondFactor } from './forget-second-factor.ts';

/** `open`: every learner has access unless it was revoked. `granted`: a learner has access only after an admin grants it. */
export type AccessMode = 'open' | 'granted';

export interface AccessDecision {
  /** Null when the server itself decided. */
  actorId: string | null;
  subjectId: string;
  reason: string | null;
}

export interface Access {
  /** True when learners need an admin's grant, that is, in the mode `granted`. */
  mustBeGranted: boolean;
  isEntitled: (user: Pick<UserRow, 'hasAccess' | 'accessDate'>) => boolean;
  /** Throws `access.required`, or `access.taken` when the learner's access was revoked. */
  require: (userId: string) => Promise<void>;
  /** Throws `auth.forbidden`. */
  requireAdmin: (userId: string) => Promise<void>;
  /** Throws `account.no_email`: the grant is announced by e-mail, so an address is needed. */
  request: (userId: string) => Promise<void>;
  grant: (decision: AccessDecision) => Promise<void>;
  revoke: (decision: AccessDecision & { reason: string }) => Promise<void>;
  /** Throws `account.last_admin`. */
  setAdmin: (decision: AccessDecision & { isAdmin: boolean }) => Promise<void>;
}

export interface AccessParts {
  db: Database;
  now: () => Date;
  mode: AccessMode;
  signInEmails: SignInEmails;
  mail: EnqueueAccountMail;
  /** Builds the address of the page behind a sign-in link. */
  linkUrl: (link: string) => string;
  /** Called after the transaction, so that the learner's devices are poked. */
  onChanged: (userId: string, version: number) => void;
  /** Called after the transaction: revoking access cancels the learner's plan, and granting it again resumes the plan. Never throws. */
  onAccessChanged: (userId: string) => Promise<void>;
}

const ACCESS_GIVEN = { before: { hasAccess: false }, after: { hasAccess: true } };

export function createAccess(parts: AccessParts): Access {
  const { db, now, mode, signInEmails, mail, linkUrl, onChanged, onAccessChanged } = parts;

  const findUser = async (userId: string) => {
    const { hasAccess, accessDate, isAdmin } = tables.users;
    const [user] = await db
      .select({ hasAccess, accessDate, isAdmin })
      .from(tables.users)
      .where(eq(tables.users.userId, userId));
    return user;
  };
  // A learner with an access date but no access has lost it, even on an open server.
  const isEntitled: Access['isEntitled'] = ({ hasAccess, accessDate }) =>
    hasAccess || (mode === 'open' && accessDate === null);

  /** `work` sees the row while its scope is locked, and returns null when nothing has to change. */
  async function changeUser(
    subjectId: string,
    work: (tx: Database, user: UserRow) => Promise<Partial<UserRow> | null>,
  ): Promise<void> {
    const version = await db.transaction(async (tx) => {
      const next = await nextVersion(tx, subjectId);
      const user = next === null ? null : await readUser(tx, subjectId);
      if (next === null || user === null) throw new DomainError('request.invalid', { field: 'userId' });
      const change = await work(tx, user);
      if (change === null) return null;
      await writeUser(tx, subjectId, { ...change, version: next, at: now() });
      return next;
    });
    if (version !== null) onChanged(subjectId, version);
  }

  return {
    mustBeGranted: mode === 'granted',
    isEntitled,

    async require(userId) {
      const user = await findUser(userId);
      if (user !== undefined && isEntitled(user)) return;
      throw new DomainError(user === undefined || user.accessDate === null ? 'access.required' : 'access.taken');
    },

    async requireAdmin(userId) {
      if ((await findUser(userId))?.isAdmin !== true) throw new DomainError('auth.forbidden');
    },

    request: (userId) =>
      changeUser(userId, async (tx, user) => {
        if (user.email === null) throw new DomainError('account.no_email');
        const isWaiting = isEntitled(user) || (await readWaitingSince(tx, [userId])).has(userId);
        if (!isWaiting)
          await recordAudit(tx, { at: now(), actorId: userId, subjectId: userId, act: 'access_requested' });
        return null;
      }),

    async grant({ actorId, subjectId, reason }) {
      await changeUser(subjectId, async (tx, user) => {
        if (user.hasAccess) return null;
        const at = now();
        await recordAudit(tx, { at, actorId, subjectId, act: 'access_granted', reason, ...ACCESS_GIVEN });
        if (user.email !== null) {
          const { id, link } = await signInEmails.createAccessLink(tx, user.email);
          const data = { firstName: user.firstName, link: linkUrl(link) };
          await mail(tx, { userId: subjectId, to: user.email, kind: 'access_link', step: id, data });
        }
        return { hasAccess: true, accessDate: at };
      });
      await onAccessChanged(subjectId);
    },

    async revoke({ actorId, subjectId, reason }) {
      await changeUser(subjectId, async (tx, user) => {
        const at = now();
        if (!user.hasAccess && user.accessDate !== null) return null;
        // Declining a request takes nothing away from the learner.
        const change = { before: { hasAccess: isEntitled(user) }, after: { hasAccess: false } };
        await recordAudit(tx, { at, actorId, subjectId, act: 'access_revoked', reason, ...change });
        return { hasAccess: false, accessDate: user.accessDate ?? at };
      });
      await onAccessChanged(subjectId);
    },

    setAdmin: ({ actorId, subjectId, reason, isAdmin }) =>
      changeUser(subjectId, async (tx, user) => {
        if (user.isAdmin === isAdmin) return null;
        if (!isAdmin) await requireAnotherAdmin(tx, subjectId);
        await recordAudit(tx, {
          at: now(),
          actorId,
          subjectId,
          act: isAdmin ? 'admin_granted' : 'admin_revoked',
          reason,
          before: { isAdmin: user.isAdmin },
          after: { isAdmin },
        });
        // An admin who has lost the phone can be removed and added again.
        if (!isAdmin) await forgetSecondFactor(tx, { at: now(), actorId, subjectId });
        return { isAdmin };
      }),
  };
}

const isRevoked = and(eq(tables.users.hasAccess, false), isNotNull(tables.users.accessDate));

/** Whether the learner had access and an admin revoked it. */
export const isAccessRevoked = async (db: Database, userId: string): Promise<boolean> =>
  (await db.$count(tables.users, and(eq(tables.users.userId, userId), isRevoked))) > 0;

/** The ids of the learners whose access was revoked, optionally only since a given time. */
export async function readRevokedUserIds(db: Database, since?: Date): Promise<ReadonlySet<string>> {
  const { userId } = tables.users;
  const isRevocation = and(eq(auditLog.subjectId, userId), eq(auditLog.act, 'access_revoked'));
  const isRecent =
    since &&
    exists(
      db
        .select()
        .from(auditLog)
        .where(and(isRevocation, gte(auditLog.at, since))),
    );
  const rows = await db.select({ userId }).from(tables.users).where(and(isRevoked, isRecent));
  return new Set(rows.map(({ userId }) => userId));
}

/**
 * Throws `account.last_admin`. An admin whose account is about to be erased does not count. The advisory lock
 * serialises two admins who demote each other, or who both request deletion, at the same moment.
 */
export async function requireAnotherAdmin(tx: Database, userId: string): Promise<void> {
  await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended('admins', 0))`);
  const hasRequestedDeletion = and(eq(accountDeletions.userId, tables.users.userId), isNull(accountDeletions.leftFor));
  const others = and(
    eq(tables.users.isAdmin, true),
    ne(tables.users.userId, userId),
    notExists(tx.select().from(accountDeletions).where(hasRequestedDeletion)),
  );
  if ((await tx.$count(tables.users, others)) === 0) throw new DomainError('account.last_admin');
}
