/**
 * Sessions of signed-in browsers, by cookie. Each sign-in creates a new session and ends the browser's previous one.
 */
import { randomUUID } from 'node:crypto';
import { LearnerId } from '@parley/domain';
import { and, eq, gt, isNull, lt } from 'drizzle-orm';
import { z } from 'zod';
import type { Database } from '../../db/client.ts';
import { tables, webSessions } from '../../db/tables.ts';
import { ADMIN_CONFIRMATION_LIFETIME_MS } from '../sign-in/confirmation.ts';
import { hashSecret, isSameHash, generateSecret } from '../secrets.ts';

const DAY_MS = 24 * 3_600_000;
export const WEB_SESSION_DAYS = 30;
const SESSION_LIFETIME_MS = WEB_SESSION_DAYS * DAY_MS;
/** The session's expiry slides; one write per day is precise enough. */
const SLIDE_AFTER_MS = DAY_MS;
const NO_HASH = hashSecret('no browser bears this cookie');
const MAX_USER_AGENT = 300;

export interface WebSession {
  id: string;
  userId: LearnerId;
  /** The cookie must be sent again, or the browser would forget it before the server does. */
  hasSlid: boolean;
}

export interface WebSessions {
  /** Returns the cookie's value, and ends the browser's previous session. */
  open: (
    tx: Database,
    browser: {
      userId: string;
      userAgent: string | undefined;
      former: string | undefined;
      /** The language of the page, if the server supports it. */
      language: string | null;
      /** Whether the learner has just proved the address, as with a code. */
      isConfirmed: boolean;
    },
  ) => Promise<string>;
  /**
   * Null for an invalid cookie, and for an admin's session that is more than twelve hours old, however much it was
   * used.
   */
  read: (cookie: string | undefined) => Promise<WebSession | null>;
  close: (session: WebSession) => Promise<void>;
  closeAll: (userId: string) => Promise<void>;
}

export function createWebSessions({ db, now }: { db: Database; now: () => Date }): WebSessions {
  const revokeWhere = async (tx: Database, which: ReturnType<typeof and>): Promise<void> => {
    await tx
      .update(webSessions)
      .set({ revokedAt: now() })
      .where(and(which, isNull(webSessions.revokedAt)));
  };
  const find = async (tx: Database, cookie: string | undefined) => {
    const [id, secret] = (cookie ?? '').split('.', 2);
    const isId = z.uuid().safeParse(id).success;
    const [row] = isId
      ? await tx
          .select()
          .from(webSessions)
          .where(and(eq(webSessions.id, id ?? ''), isNull(webSessions.revokedAt), gt(webSessions.expiresAt, now())))
      : [];
    return isSameHash(hashSecret(secret ?? ''), row?.tokenHash ?? NO_HASH) ? row : undefined;
  };

  const isAdmin = async (userId: string): Promise<boolean> =>
    (await db.$count(tables.users, and(eq(tables.users.userId, userId), eq(tables.users.isAdmin, true)))) > 0;

  return {
    async open(tx, { userId, userAgent, former, language, isConfirmed }) {
      const before = await find(tx, former);
      if (before !== undefined) await revokeWhere(tx, eq(webSessions.id, before.id));
      const id = randomUUID();
      const secret = generateSecret();
      const at = now();
      await tx.insert(webSessions).values({
        id,
        userId,
        tokenHash: hashSecret(secret),
        userAgent: (userAgent ?? '').toWellFormed().replaceAll('\0', '').slice(0, MAX_USER_AGENT),
        language,
        createdAt: at,
        lastSeenAt: at,
        expiresAt: new Date(at.getTime() + SESSION_LIFETIME_MS),
        revokedAt: null,
        confirmedAt: isConfirmed ? at : null,
      });
      return `${id}.${secret}`;
    },

    async read(cookie) {
      const row = await find(db, cookie);
      if (row === undefined) return null;
      const at = now();
      if (at.getTime() - row.createdAt.getTime() >= ADMIN_CONFIRMATION_LIFETIME_MS && (await isAdmin(row.userId)))
        return null;
      const hasSlid = at.getTime() - row.lastSeenAt.getTime() >= SLIDE_AFTER_MS;
      if (hasSlid)
        await db
          .update(webSessions)
          .set({ lastSeenAt: at, expiresAt: new Date(at.getTime() + SESSION_LIFETIME_MS) })
          .where(eq(webSessions.id, row.id));
      return { id: row.id, userId: LearnerId.parse(row.userId), hasSlid };
    },

    close: ({ id }) => revokeWhere(db, eq(webSessions.id, id)),
    closeAll: (userId) => revokeWhere(db, eq(webSessions.userId, userId)),
  };
}

/** Deletes sessions that have long expired and returns how many. */
export async function deleteOldSessions({ db, now }: { db: Database; now: () => Date }): Promise<number> {
  const before = new Date(now().getTime() - SESSION_LIFETIME_MS);
  const gone = await db.delete(webSessions).where(lt(webSessions.expiresAt, before)).returning({ id: webSessions.id });
  return gone.length;
}
