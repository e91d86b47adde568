/** Writes the audit log in the transaction of the action itself. */
import { and, gte, ne } from 'drizzle-orm';
import { uuidv7 } from 'uuidv7';
import type { Database } from '../db/client.ts';
import { auditLog } from '../db/tables.ts';

type AuditRow = typeof auditLog.$inferInsert;

/** `details`, `before` and `after` must never hold an address, a name or a secret: entries stay after the learner is erased. */
export type AuditEntry = Pick<
  AuditRow,
  'at' | 'actorId' | 'subject' | 'subjectId' | 'act' | 'details' | 'before' | 'after'
> & { reason?: string | null };

export const recordAudit = (tx: Database, entry: AuditEntry): Promise<void> => recordAudits(tx, [entry]);

/** Writes the entries in order, in one statement. */
export async function recordAudits(tx: Database, entries: readonly AuditEntry[]): Promise<void> {
  if (entries.length === 0) return;
  // Ordered ids preserve the order of entries that were made in the same millisecond.
  await tx.insert(auditLog).values(entries.map((entry) => ({ id: uuidv7(), reason: null, ...entry })));
}

/**
 * Whether an admin has changed something other than their own account since then. A null actor is the server or the
 * payment provider.
 */
export async function hasAdminActedSince(db: Database, since: Date): Promise<boolean> {
  const [entry] = await db
    .select({ id: auditLog.id })
    .from(auditLog)
    .where(and(gte(auditLog.at, since), ne(auditLog.actorId, auditLog.subjectId)))
    .limit(1);
  return entry !== undefined;
}

const MAX_AUDITED_CHARACTERS = 200;

/**
 * The beginning of a text, for `before` and `after`. The database refuses half a surrogate pair, so one that was cut is
 * replaced.
 */
export const shortenForAudit = (text: string): string => text.slice(0, MAX_AUDITED_CHARACTERS).toWellFormed();
