/** The language of a learner's e-mails and pages: the one that they last used, in the app or in a browser. */
import { and, desc, eq, isNotNull, isNull, sql } from 'drizzle-orm';
import type { Database } from '../../db/client.ts';
import { devices, tables, webSessions } from '../../db/tables.ts';

/** Null when no device or browser of the learner has named a language that the server supports. */
export async function readLearnerLanguage(db: Database, userId: string): Promise<string | null> {
  const [device] = await db
    .select({ language: devices.language, at: devices.lastSeenAt })
    .from(devices)
    .where(and(eq(devices.userId, userId), isNull(devices.revokedAt), isNotNull(devices.language)))
    .orderBy(desc(devices.lastSeenAt))
    .limit(1);
  const [browser] = await db
    .select({ language: webSessions.language, at: webSessions.lastSeenAt })
    .from(webSessions)
    .where(and(eq(webSessions.userId, userId), isNull(webSessions.revokedAt), isNotNull(webSessions.language)))
    .orderBy(desc(webSessions.lastSeenAt))
    .limit(1);
  if (device === undefined || browser === undefined) return (device ?? browser)?.language ?? null;
  return device.at >= browser.at ? device.language : browser.language;
}

/** Does the same for the owner of an address; null when no account has it. */
export async function readLanguageOfAddress(db: Database, email: string): Promise<string | null> {
  const { users } = tables;
  const [owner] = await db
    .select({ userId: users.userId })
    .from(users)
    .where(and(sql`lower(${users.email}) = ${email.toLowerCase()}`, isNull(users.deletedAt)));
  return owner === undefined ? null : readLearnerLanguage(db, owner.userId);
}
