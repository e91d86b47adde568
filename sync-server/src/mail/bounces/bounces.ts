/** Records bounced mails and lists undelivered ones for the admin panel. */
import { and, desc, eq, gte, inArray, ne } from 'drizzle-orm';
import { recordAudit } from '../../account/index.ts';
import type { Database } from '../../db/client.ts';
import { mails } from '../../db/mail-tables.ts';
import { CONTENT_REMOVED } from '../queue/claim.ts';
import type { MailKind } from '../templates/index.ts';
import { storableReason } from '../storable-reason.ts';

export interface Bounce {
  /** The message id of the bounced mail, with or without angle brackets. */
  messageId: string | null;
  /** The recipient of the bounced mail. */
  to: string | null;
  /**
   * `bounced`: the address accepts no mail. `failed`: the mail server gave up, for example because the other server
   * could not be reached for days. `delayed`: delivery is still being attempted.
   */
  outcome: 'bounced' | 'failed' | 'delayed';
  trouble: string;
}

export interface UndeliveredMail {
  id: string;
  userId: string | null;
  to: string;
  kind: MailKind;
  step: string;
  state: 'failed' | 'bounced';
  createdAt: Date;
  trouble: string | null;
  /** Whether the content is still stored, so that the mail can be sent again. */
  canBeSentAgain: boolean;
}

const LISTED_FOR_MS = 30 * 24 * 3_600_000;
const MAX_LISTED = 200;

/** The id of the mail; null if the mail is not ours or the bounce was recorded already. */
export async function recordBounce(
  db: Database,
  { messageId, to, outcome, trouble }: Bounce,
  now: Date,
): Promise<string | null> {
  const mailId = /^<?([0-9a-f]{8}-[0-9a-f-]{27})@/.exec(messageId ?? '')?.[1];
  if (mailId === undefined && to === null) return null;
  const which = mailId === undefined ? eq(mails.to, to ?? '') : eq(mails.id, mailId);
  return db.transaction(async (tx) => {
    const [mail] = await tx
      .select({ id: mails.id, state: mails.state, trouble: mails.trouble })
      .from(mails)
      .where(and(which, inArray(mails.state, ['sent', 'sending', 'failed', 'bounced'])))
      .orderBy(desc(mails.createdAt))
      .limit(1)
      .for('update');
    // If a report without a message id is delivered twice, it must not be attributed to an older mail.
    if (mail === undefined || mail.state === 'bounced') return null;
    const state = outcome === 'delayed' ? mail.state : outcome;
    const short = storableReason(trouble);
    if (mail.state === state && mail.trouble === short) return null;
    await tx
      .update(mails)
      .set({ state, trouble: short, ...(outcome === 'bounced' && { bouncedAt: now, ...CONTENT_REMOVED }) })
      .where(eq(mails.id, mail.id));
    return mail.id;
  });
}

/** Newest first. */
export async function listUndelivered(db: Database, now: Date): Promise<UndeliveredMail[]> {
  const rows = await db
    .select()
    .from(mails)
    .where(
      and(inArray(mails.state, ['failed', 'bounced']), gte(mails.createdAt, new Date(now.getTime() - LISTED_FOR_MS))),
    )
    .orderBy(desc(mails.createdAt))
    .limit(MAX_LISTED);
  return rows.flatMap(({ id, userId, to, kind, step, state, createdAt, trouble, text }): UndeliveredMail[] =>
    state === 'failed' || state === 'bounced'
      ? [{ id, userId, to, kind, step, state, createdAt, trouble, canBeSentAgain: text !== '' }]
      : [],
  );
}

/**
 * Sends a failed mail again at an admin's request. False when its content is gone. This is the only way in which a mail
 * can arrive twice.
 */
export const resendMail = (
  db: Database,
  { mailId, actorId, now }: { mailId: string; actorId: string; now: Date },
): Promise<boolean> =>
  db.transaction(async (tx) => {
    const [queued] = await tx
      .update(mails)
      .set({ state: 'queued', tries: 0, nextTryAt: now, trouble: null })
      .where(and(eq(mails.id, mailId), eq(mails.state, 'failed'), ne(mails.text, '')))
      .returning({ id: mails.id, kind: mails.kind });
    if (queued === undefined) return false;
    const details = { kind: queued.kind };
    await recordAudit(tx, { at: now, actorId, subject: 'mail', subjectId: mailId, act: 'mail_resent', details });
    return true;
  });
