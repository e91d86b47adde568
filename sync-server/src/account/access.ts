/** Who may use the coaches of this server: asked for, granted, taken away and noted, and looked up at each call. */
import { and, eq, isNotNull, isNull, ne, notExists, sql } from 'drizzle-orm';
import type { Database } from '../db/client.ts';
import { accountDeletions, tables } from '../db/tables.ts';
import { failure } from '../failure.ts';
import { nextVersion, readUser, type UserRow, writeUser } from './account-rows.ts';
import { audit } from './audit.ts';
import type { EnqueueMail } from './mail-port.ts';
import type { SignInMessages } from './sign-in-messages.ts';
import { readWaitingSince } from './waiting.ts';

/** `open`: everybody may, but from whom it was taken. `granted`: whom an admin has let in. */
export type AccessMode = 'open' | 'granted';

export interface Decision {
  /** Null: the server itself. */
  actorId: string | null;
  subjectId: string;
  reason: string | null;
}

export interface Access {
  /** Whether only those may whom somebody has let in. */
  mustBeGranted: boolean;
  isEntitled: (user: Pick<UserRow, 'hasAccess' | 'accessDate'>) => boolean;
  /** Throws `access.required`, and `access.taken` for whom had it. */
  require: (userId: string) => Promise<void>;
  /** Throws `auth.forbidden`. */
  requireAdmin: (userId: string) => Promise<void>;
  /** Throws `account.no_email`: whom nobody can write to cannot be let in. */
  request: (userId: string) => Promise<void>;
  grant: (decision: Decision) => Promise<void>;
  revoke: (decision: Decision & { reason: string }) => Promise<void>;
  /** Throws `account.last_admin`. */
  setAdmin: (decision: Decision & { isAdmin: boolean }) => Promise<void>;
}

export interface AccessParts {
  db: Database;
  now: () => Date;
  mode: AccessMode;
  messages: SignInMessages;
  mail: EnqueueMail;
  /** The address of a link's page. */
  linkUrl: (link: string) => string;
  /** Told after the transaction: their devices hear of it. */
  changed: (userId: string, version: number) => void;
  /** After the transaction: a plan of whom access was taken from ends, or goes on again. Never throws. */
  accessMoved: (userId: string) => Promise<void>;
}

export function createAccess(parts: AccessParts): Access {
  const { db, now, mode, messages, mail, linkUrl, changed, accessMoved } = parts;

  const look = async (userId: string) => {
    const { hasAccess, accessDate, isAdmin } = tables.users;
    const [user] = await db
      .select({ hasAccess, accessDate, isAdmin })
      .from(tables.users)
      .where(eq(tables.users.userId, userId));
    return user;
  };
  // Somebody who has a date without access has lost it: that holds on an open server too.
  const isEntitled: Access['isEntitled'] = ({ hasAccess, accessDate }) =>
    hasAccess || (mode === 'open' && accessDate === null);

  /** `work` sees the row while its scope is locked; null: nothing is to change. */
  async function decide(
    subjectId: string,
    work: (tx: Database, user: UserRow) => Promise<Partial<UserRow> | null>,
  ): Promise<void> {
    const version = await db.transaction(async (tx) => {
      const next = await nextVersion(tx, subjectId);
      const user = next === null ? null : await readUser(tx, subjectId);
      if (next === null || user === null) throw failure('request.invalid', { field: 'userId' });
      const change = await work(tx, user);
      if (change === null) return null;
      await writeUser(tx, subjectId, { ...change, version: next, at: now() });
      return next;
    });
    if (version !== null) changed(subjectId, version);
  }

  return {
    mustBeGranted: mode === 'granted',
    isEntitled,

    async require(userId) {
      const user = await look(userId);
      if (user !== undefined && isEntitled(user)) return;
      throw failure(user === undefined || user.accessDate === null ? 'access.required' : 'access.taken');
    },

    async requireAdmin(userId) {
      if ((await look(userId))?.isAdmin !== true) throw failure('auth.forbidden');
    },

    request: (userId) =>
      decide(userId, async (tx, user) => {
        if (user.email === null) throw failure('account.no_email');
        const isWaiting = isEntitled(user) || (await readWaitingSince(tx, [userId])).has(userId);
        if (!isWaiting) await audit(tx, { at: now(), actorId: userId, subjectId: userId, act: 'access_requested' });
        return null;
      }),

    async grant({ actorId, subjectId, reason }) {
      await decide(subjectId, async (tx, user) => {
        if (user.hasAccess) return null;
        const at = now();
        await audit(tx, { at, actorId, subjectId, act: 'access_granted', reason });
        if (user.email !== null) {
          const { id, link } = await messages.writeAccessLink(tx, user.email);
          const data = { firstName: user.firstName, link: linkUrl(link) };
          await mail(tx, { userId: subjectId, to: user.email, kind: 'access_link', step: id, data });
        }
        return { hasAccess: true, accessDate: at };
      });
      await accessMoved(subjectId);
    },

    async revoke({ actorId, subjectId, reason }) {
      await decide(subjectId, async (tx, user) => {
        const at = now();
        if (!user.hasAccess && user.accessDate !== null) return null;
        await audit(tx, { at, actorId, subjectId, act: 'access_revoked', reason });
        return { hasAccess: false, accessDate: user.accessDate ?? at };
      });
      await accessMoved(subjectId);
    },

    setAdmin: ({ actorId, subjectId, reason, isAdmin }) =>
      decide(subjectId, async (tx, user) => {
        if (user.isAdmin === isAdmin) return null;
        if (!isAdmin) await requireAnotherAdmin(tx, subjectId);
        await audit(tx, {
          at: now(),
          actorId,
          subjectId,
          act: isAdmin ? 'admin_granted' : 'admin_revoked',
          reason,
        });
        return { isAdmin };
      }),
  };
}

const isTaken = and(eq(tables.users.hasAccess, false), isNotNull(tables.users.accessDate));

/** Whether a learner had access, and somebody took it away. */
export const isAccessTaken = async (db: Database, userId: string): Promise<boolean> =>
  (await db.$count(tables.users, and(eq(tables.users.userId, userId), isTaken))) > 0;

/** All from whom it was. */
export async function readAccessTaken(db: Database): Promise<ReadonlySet<string>> {
  const rows = await db.select({ userId: tables.users.userId }).from(tables.users).where(isTaken);
  return new Set(rows.map(({ userId }) => userId));
}

/**
 * Throws `account.last_admin`. Who will be erased is no other admin. Two who take it from each other at once, or leave at once, are one after
 * the other.
 */
export async function requireAnotherAdmin(tx: Database, userId: string): Promise<void> {
  await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended('admins', 0))`);
  const isLeaving = and(eq(accountDeletions.userId, tables.users.userId), isNull(accountDeletions.leftFor));
  const others = and(
    eq(tables.users.isAdmin, true),
    ne(tables.users.userId, userId),
    notExists(tx.select().from(accountDeletions).where(isLeaving)),
  );
  if ((await tx.$count(tables.users, others)) === 0) throw failure('account.last_admin');
}
