/** Deletes what the school no longer wants to keep, according to its settings. */
import { and, eq, inArray, isNull, lt, ne, notInArray, or } from 'drizzle-orm';
import { recordAudit, selectNeededDecisions, selectRemovals } from '../account/index.ts';
import type { Database } from '../db/client.ts';
import { mails } from '../db/mail-tables.ts';
import { auditLog } from '../db/tables.ts';
import { monthsBefore } from './months-before.ts';
import { readSchoolSettings, SETTINGS_ID } from './settings.ts';

/** How many records were stripped of their texts. */
export interface DeletedRecords {
  auditEntries: number;
  mails: number;
}

/** The audit log records deletions as a number. */
export const applyRetention = (db: Database, now: Date): Promise<DeletedRecords> =>
  db.transaction(async (tx) => {
    const { auditMonths, mailMonths } = await readSchoolSettings(tx);
    const deleted = {
      auditEntries: auditMonths === null ? 0 : await deleteAuditEntries(tx, monthsBefore(now, auditMonths)),
      mails: mailMonths === null ? 0 : await forgetMails(tx, monthsBefore(now, mailMonths)),
    };
    if (deleted.auditEntries + deleted.mails > 0)
      await recordAudit(tx, {
        at: now,
        actorId: null,
        subject: 'settings',
        subjectId: SETTINGS_ID,
        act: 'records_deleted',
        after: { ...deleted },
      });
    return deleted;
  });

async function deleteAuditEntries(tx: Database, before: Date): Promise<number> {
  const deleted = await tx
    .delete(auditLog)
    .where(
      and(
        lt(auditLog.at, before),
        notInArray(auditLog.id, selectNeededDecisions(tx)),
        notInArray(auditLog.id, selectRemovals(tx)),
      ),
    )
    .returning({ id: auditLog.id });
  return deleted.length;
}

const SETTLED = ['sent', 'failed', 'superseded', 'suppressed', 'bounced'] as const;

/** A learner's row is kept without its texts, because it prevents the same reminder from being sent again. */
async function forgetMails(tx: Database, before: Date): Promise<number> {
  const isOld = and(lt(mails.createdAt, before), inArray(mails.state, [...SETTLED]), ne(mails.to, ''));
  const isForNobody = or(eq(mails.kind, 'sign_in'), isNull(mails.userId));
  const deleted = await tx.delete(mails).where(and(isOld, isForNobody)).returning({ id: mails.id });
  const emptied = await tx
    .update(mails)
    .set({ to: '', subject: '', html: '', text: '', headers: {}, trouble: null })
    .where(isOld)
    .returning({ id: mails.id });
  return deleted.length + emptied.length;
}
