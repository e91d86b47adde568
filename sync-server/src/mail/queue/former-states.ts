/**
 * Renames the states that servers of the previous release still write while an update is rolled out node by node.
 * Migration 0020 renamed the existing ones. This can be removed in the release after this one.
 */
import { and, eq, sql } from 'drizzle-orm';
import type { Database } from '../../db/client.ts';
import { mails } from '../../db/mail-tables.ts';

const REPLACED_REASON = 'A newer mail replaced it.';

export async function renameFormerStates(db: Database): Promise<void> {
  await db
    .update(mails)
    .set({ state: 'queued' })
    .where(sql`${mails.state} = 'waiting'`);
  await db
    .update(mails)
    .set({ state: 'suppressed' })
    .where(sql`${mails.state} = 'dropped'`);
  await db
    .update(mails)
    .set({ state: 'superseded', html: '', text: '' })
    .where(and(eq(mails.state, 'failed'), eq(mails.trouble, REPLACED_REASON)));
}
