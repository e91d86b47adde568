/** Enqueues a mail in the caller's transaction, so that it is committed with its reason. */
import type { SchoolIdentity } from '@parley/domain';
import { SOURCE_LANGUAGE } from '@parley/i18n';
import { readLearnerLanguage } from '../../account/index.ts';
import type { Database } from '../../db/client.ts';
import { mails } from '../../db/mail-tables.ts';
import { localizerFor } from '../../localization/index.ts';
import { isReminderKind } from '../reminders/reminder-facts.ts';
import type { MailKind, MailToRender } from '../templates/index.ts';
import type { Unsubscribe } from '../unsubscribe/unsubscribe.ts';

export type NewMail<Kind extends MailKind = MailKind> = MailToRender<Kind> & {
  /** Null when no account has this address yet. */
  userId: string | null;
  to: string;
  /** The language in which the mail was asked for; the account's own language when absent or null. */
  language?: string | null;
};

/** False when the learner has already had this mail, or it is queued. */
export type Enqueue = <Kind extends MailKind>(tx: Database, mail: NewMail<Kind>) => Promise<boolean>;

export interface EnqueueParts {
  now: () => Date;
  newId: () => string;
  origin: string;
  unsubscribe: Unsubscribe;
  readSchool: (tx: Database) => Promise<SchoolIdentity>;
  onEnqueued: () => void;
}

/** Prevents out-of-office replies. */
const AUTOMATED_MAIL_HEADERS = { 'Auto-Submitted': 'auto-generated', 'X-Auto-Response-Suppress': 'All' };
/** A learner is waiting for these mails, so they are sent before all others that are due. */
const PRIORITY_MS = 3_600_000;

export const createEnqueue =
  ({ now, newId, origin, unsubscribe, readSchool, onEnqueued }: EnqueueParts): Enqueue =>
  async (tx, { userId, to, language = null, ...mail }) => {
    // Imported here, so that a server that sends no mail does not load React.
    const { renderMail } = await import('../templates/index.ts');
    const unsubscribeUrl = userId !== null && isReminderKind(mail.kind) ? unsubscribe.urlFor(userId) : null;
    // An address without a learner is not looked up, so that the response time does not reveal an account.
    const stored = language === null && userId !== null ? await readLearnerLanguage(tx, userId) : null;
    const localizer = localizerFor(language ?? stored ?? SOURCE_LANGUAGE);
    const content = await renderMail(mail, { origin, unsubscribeUrl, localizer, school: await readSchool(tx) });
    const at = now();
    const [added] = await tx
      .insert(mails)
      .values({
        id: newId(),
        userId,
        to,
        kind: mail.kind,
        step: mail.step,
        ...content,
        headers: { ...AUTOMATED_MAIL_HEADERS, ...(unsubscribeUrl === null ? {} : oneClickHeaders(unsubscribeUrl)) },
        state: 'queued',
        nextTryAt: mail.kind === 'sign_in' ? new Date(at.getTime() - PRIORITY_MS) : at,
        createdAt: at,
      })
      .onConflictDoNothing()
      .returning({ id: mails.id });
    if (added !== undefined) onEnqueued();
    return added !== undefined;
  };

/** The headers for one-click unsubscribing (RFC 8058). */
const oneClickHeaders = (url: string): Record<string, string> => ({
  'List-Unsubscribe': `<${url}>`,
  'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
});
