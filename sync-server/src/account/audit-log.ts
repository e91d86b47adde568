/** Writes the audit log in the transaction of the action itself. */
import { uuidv7 } from 'uuidv7';
import type { Database } from '../db/client.ts';
import { auditLog } from '../db/tables.ts';

type AuditEntry = typeof auditLog.$inferInsert;

/** `details`, `before` and `after` must never hold an address, a name or a secret: entries stay after the learner is erased. */
export async function recordAudit(
  tx: Database,
  entry: Pick<AuditEntry, 'at' | 'actorId' | 'subject' | 'subjectId' | 'act' | 'details' | 'before' | 'after'> & {
    reason?: string | null;
  },
): Promise<void> {
  // Ordered ids keep the order of entries that were made in the same millisecond.
  await tx.insert(auditLog).values({ id: uuidv7(), reason: null, ...entry });
}
