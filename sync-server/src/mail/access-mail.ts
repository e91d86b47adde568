/** Whether the mail with which somebody gets in has reached them, as far as we can know. */
import type { mails } from '../db/tables.ts';

type Seen = Pick<typeof mails.$inferSelect, 'kind' | 'state' | 'createdAt' | 'sentAt' | 'nextTryAt'>;

const DELIVERED_WITHIN_MS = 30 * 60_000;
/** A mail that is being handed over looks like one whose server died on the way: after this long it is one. */
export const HANDED_OVER_WITHIN_MS: number = 5 * 60_000;

/** Since when we know that the newest of them did not arrive; null while there is no reason to think so. */
export function accessMailMissedAt(ofLearner: readonly Seen[], now: Date): Date | null {
  const newest = ofLearner
    .filter(({ kind, state }) => (kind === 'access_link' || kind === 'access_link_again') && state !== 'dropped')
    .toSorted((a, b) => b.createdAt.getTime() - a.createdAt.getTime())[0];
  if (newest === undefined || newest.state === 'sent') return null;
  if (newest.state === 'bounced') return newest.sentAt ?? newest.nextTryAt;
  const isUnderWay = newest.state === 'failed' && newest.nextTryAt.getTime() > now.getTime() - HANDED_OVER_WITHIN_MS;
  const missedMs = newest.createdAt.getTime() + DELIVERED_WITHIN_MS;
  return isUnderWay || missedMs > now.getTime() ? null : new Date(missedMs);
}
