/** Who did what to whom, and why: written in the transaction of the act itself. */
import { randomUUID } from 'node:crypto';
import type { Database } from '../db/client.ts';
import { auditLog } from '../db/tables.ts';

type Entry = typeof auditLog.$inferInsert;

/** Details never hold an address, a name or a secret: they stay when the learner is erased. */
export async function audit(
  tx: Database,
  entry: Pick<Entry, 'at' | 'actorId' | 'subjectId' | 'act' | 'details'> & { reason?: string | null },
): Promise<void> {
  await tx.insert(auditLog).values({ id: randomUUID(), reason: null, ...entry });
}
