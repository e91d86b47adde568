/** Estimates whether the mail with the access link has reached the learner. */
import type { mails } from '../../db/mail-tables.ts';

type MailState = Pick<typeof mails.$inferSelect, 'kind' | 'state' | 'createdAt' | 'sentAt' | 'nextTryAt'>;

const DELIVERY_TIMEOUT_MS = 30 * 60_000;
/** When a mail has been `sending` for longer, the server that was sending it must have died. */
export const SENDING_TIMEOUT_MS: number = 5 * 60_000;

/** Since when the newest access mail counts as undelivered; null while it may still arrive. */
export function findAccessMailMissedAt(ofLearner: readonly MailState[], now: Date): Date | null {
  const newest = ofLearner
    .filter(({ kind, state }) => (kind === 'access_link' || kind === 'access_link_again') && state !== 'suppressed')
    .toSorted((a, b) => b.createdAt.getTime() - a.createdAt.getTime())[0];
  if (newest === undefined || newest.state === 'sent') return null;
  if (newest.state === 'bounced') return newest.sentAt ?? newest.nextTryAt;
  const isSending = newest.state === 'sending' && newest.nextTryAt.getTime() > now.getTime() - SENDING_TIMEOUT_MS;
  const missedMs = newest.createdAt.getTime() + DELIVERY_TIMEOUT_MS;
  return isSending || missedMs > now.getTime() ? null : new Date(missedMs);
}
