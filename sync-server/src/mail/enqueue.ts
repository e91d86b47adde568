/** Writes a mail down, in the transaction of whoever wants it sent: with what it is about, or not at all. */
import type { Database } from '../db/client.ts';
import { mails } from '../db/tables.ts';
import { isReminderKind } from './reminder-facts.ts';
import type { MailKind, MailToRender } from './templates/index.ts';
import type { Unsubscribe } from './unsubscribe.ts';

export type NewMail<Kind extends MailKind = MailKind> = MailToRender<Kind> & {
  /** Null: nobody has this address yet. */
  userId: string | null;
  to: string;
};

/** False: this learner has got this one before, or it is on its way. */
export type Enqueue = <Kind extends MailKind>(tx: Database, mail: NewMail<Kind>) => Promise<boolean>;

export interface EnqueueParts {
  now: () => Date;
  newId: () => string;
  origin: string;
  unsubscribe: Unsubscribe;
  enqueued: () => void;
}

/** No machine is to answer "I am on holiday". */
const BY_A_MACHINE = { 'Auto-Submitted': 'auto-generated', 'X-Auto-Response-Suppress': 'All' };
/** Somebody waits for these with the window open: they stand before everything else that is due. */
const AHEAD_MS = 3_600_000;

export const createEnqueue =
  ({ now, newId, origin, unsubscribe, enqueued }: EnqueueParts): Enqueue =>
  async (tx, { userId, to, ...mail }) => {
    // React is not loaded by a server that sends nothing.
    const { renderMail } = await import('./templates/index.ts');
    const unsubscribeUrl = userId !== null && isReminderKind(mail.kind) ? unsubscribe.urlFor(userId) : null;
    const content = await renderMail(mail, { origin, unsubscribeUrl });
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
        headers: { ...BY_A_MACHINE, ...(unsubscribeUrl === null ? {} : oneClick(unsubscribeUrl)) },
        state: 'waiting',
        nextTryAt: mail.kind === 'sign_in' ? new Date(at.getTime() - AHEAD_MS) : at,
        createdAt: at,
      })
      .onConflictDoNothing()
      .returning({ id: mails.id });
    if (added !== undefined) enqueued();
    return added !== undefined;
  };

/** RFC 8058. */
const oneClick = (url: string): Record<string, string> => ({
  'List-Unsubscribe': `<${url}>`,
  'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
});
