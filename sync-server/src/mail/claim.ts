/**
 * Takes the next mail that is due, for one server alone. It counts as failed from the moment it is taken: SMTP cannot promise "once", so we
 * promise "never twice", and a server that dies on the way leaves a mail that somebody can look at.
 */
import { whenToSend } from '@parley/domain';
import { and, desc, eq, inArray, lte } from 'drizzle-orm';
import { lockLearner } from '../account/index.ts';
import type { Database } from '../db/client.ts';
import { mails, tables } from '../db/tables.ts';
import { isReminderKind, readLearnersToRemind } from './reminder-facts.ts';
import type { MailKind } from './templates/index.ts';

export type StoredMail = typeof mails.$inferSelect;

export const HANDING_OVER = 'It was being handed over when the server stopped: nobody knows whether it was sent.';
const SIGN_IN_LIFE_MS = 15 * 60_000;
/** Asked for by whoever sits there, or meant to mend just that: an address that once bounced gets these all the same. */
const EVEN_IF_BOUNCED: ReadonlySet<MailKind> = new Set(['sign_in', 'access_link', 'access_link_again']);

export interface ClaimParts {
  db: Database;
  now: () => Date;
  fallbackTimeZone: string;
}

/** `settled`: there was one, but it is not to be sent, or not yet. */
export type Claimed =
  { type: 'mail'; mail: StoredMail } | { type: 'settled'; as: 'dropped' | 'postponed' } | { type: 'none' };

export const claimNext = ({ db, now, fallbackTimeZone }: ClaimParts): Promise<Claimed> =>
  db.transaction(async (tx): Promise<Claimed> => {
    const at = now();
    const [mail] = await tx
      .select()
      .from(mails)
      .where(and(eq(mails.state, 'waiting'), lte(mails.nextTryAt, at)))
      .orderBy(mails.nextTryAt)
      .limit(1)
      .for('update', { skipLocked: true });
    if (mail === undefined) return { type: 'none' };
    const trouble = await reasonToDrop(tx, mail, at);
    if (trouble !== null) return drop(tx, mail, trouble);
    const sendAt = await sendingTime(tx, mail, { at, fallbackTimeZone });
    if (sendAt === null) return drop(tx, mail, 'Its reason is gone.');
    if (sendAt > at) {
      await tx.update(mails).set({ nextTryAt: sendAt }).where(eq(mails.id, mail.id));
      return { type: 'settled', as: 'postponed' };
    }
    const claim = { state: 'failed', trouble: HANDING_OVER, tries: mail.tries + 1, nextTryAt: at } as const;
    await tx.update(mails).set(claim).where(eq(mails.id, mail.id));
    return { type: 'mail', mail: { ...mail, ...claim } };
  });

async function drop(tx: Database, { id }: StoredMail, trouble: string): Promise<Claimed> {
  await tx
    .update(mails)
    .set({ state: 'dropped', trouble, ...WITHOUT_WORDS })
    .where(eq(mails.id, id));
  return { type: 'settled', as: 'dropped' };
}

/** Codes and links are worth something to whoever reads them: they are kept only as long as they may have to be sent. */
export const WITHOUT_WORDS = { html: '', text: '' } as const;

async function reasonToDrop(tx: Database, mail: StoredMail, at: Date): Promise<string | null> {
  const { kind, userId, to, createdAt } = mail;
  if (kind === 'sign_in' && at.getTime() - createdAt.getTime() >= SIGN_IN_LIFE_MS) return 'Its code is no longer good.';
  if (userId !== null && kind !== 'sign_in') {
    const { users } = tables;
    const [user] = await tx
      .select({ email: users.email, deletedAt: users.deletedAt })
      .from(users)
      .where(eq(users.userId, userId));
    if (user === undefined || user.email === null || user.deletedAt !== null) return 'The account is erased.';
    if (user.email.toLowerCase() !== to.toLowerCase()) return 'The account has another address now.';
  }
  if (EVEN_IF_BOUNCED.has(kind)) return null;
  const [last] = await tx
    .select({ state: mails.state })
    .from(mails)
    .where(and(eq(mails.to, to), inArray(mails.state, ['sent', 'bounced'])))
    .orderBy(desc(mails.createdAt))
    .limit(1);
  return last?.state === 'bounced' ? 'Mail to this address comes back.' : null;
}

/** The rules are asked again, with no other server writing for this learner meanwhile. */
async function sendingTime(
  tx: Database,
  { id, kind, step, userId }: StoredMail,
  { at, fallbackTimeZone }: { at: Date; fallbackTimeZone: string },
): Promise<Date | null> {
  if (userId === null || !isReminderKind(kind)) return at;
  if (!(await lockLearner(tx, userId))) return null;
  const parts = { now: at, fallbackTimeZone, exceptMailId: id, countsWaiting: false };
  const [learner] = await readLearnersToRemind(tx, { userId }, parts);
  return learner === undefined ? null : whenToSend({ kind, step }, learner.facts, at);
}
