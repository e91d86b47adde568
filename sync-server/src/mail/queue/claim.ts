/**
 * Claims the next mail that is due for one server. SMTP cannot guarantee "exactly once", so we guarantee "at most
 * once": a claimed mail is never claimed again automatically, and a server that dies leaves a failed mail that an admin
 * can see.
 */
import { whenToSend } from '@parley/domain';
import { and, eq, isNull, lte, sql } from 'drizzle-orm';
import { lockLearner, readAddressProvedAt } from '../../account/index.ts';
import type { Database } from '../../db/client.ts';
import { mails } from '../../db/mail-tables.ts';
import { accountDeletions, tables } from '../../db/tables.ts';
import { SENDING_TIMEOUT_MS } from '../reminders/access-mail-delivery.ts';
import { isReminderKind, readLearnersToRemind } from '../reminders/reminder-facts.ts';
import type { MailKind } from '../templates/index.ts';

export type StoredMail = typeof mails.$inferSelect;

const INTERRUPTED_REASON = 'The server stopped while it was sending this mail. It may have been sent.';
const SIGN_IN_LIFETIME_MS = 15 * 60_000;
/**
 * The learner has just requested or paid for these mails, or they repair the access itself, so they are sent even to an
 * address that bounced.
 */
const SENT_DESPITE_BOUNCES: ReadonlySet<MailKind> = new Set([
  'sign_in',
  'access_link',
  'access_link_again',
  'goodbye',
  'receipt',
]);

export interface ClaimParts {
  db: Database;
  now: () => Date;
  fallbackTimeZone: string;
}

/** `settled`: a due mail was suppressed or postponed. */
export type Claimed =
  { type: 'mail'; mail: StoredMail } | { type: 'settled'; as: 'suppressed' | 'postponed' } | { type: 'none' };

export const claimNext = ({ db, now, fallbackTimeZone }: ClaimParts): Promise<Claimed> =>
  db.transaction(async (tx): Promise<Claimed> => {
    const at = now();
    const [mail] = await tx
      .select()
      .from(mails)
      .where(and(eq(mails.state, 'queued'), lte(mails.nextTryAt, at)))
      .orderBy(mails.nextTryAt)
      .limit(1)
      .for('update', { skipLocked: true });
    if (mail === undefined) return { type: 'none' };
    const trouble = await reasonToSuppress(tx, mail, at);
    if (trouble !== null) return suppress(tx, mail, trouble);
    const sendAt = await sendingTime(tx, mail, { at, fallbackTimeZone });
    if (sendAt === null) return suppress(tx, mail, 'The reminder is no longer due.');
    if (sendAt > at) {
      await tx.update(mails).set({ nextTryAt: sendAt }).where(eq(mails.id, mail.id));
      return { type: 'settled', as: 'postponed' };
    }
    const claim = { state: 'sending', trouble: null, tries: mail.tries + 1, nextTryAt: at } as const;
    await tx.update(mails).set(claim).where(eq(mails.id, mail.id));
    return { type: 'mail', mail: { ...mail, ...claim } };
  });

/** Marks mails as failed whose server died while it was sending them. */
export async function failInterrupted(db: Database, now: Date): Promise<void> {
  await db
    .update(mails)
    .set({ state: 'failed', trouble: INTERRUPTED_REASON })
    .where(and(eq(mails.state, 'sending'), lte(mails.nextTryAt, new Date(now.getTime() - SENDING_TIMEOUT_MS))));
}

async function suppress(tx: Database, { id }: StoredMail, trouble: string): Promise<Claimed> {
  await tx
    .update(mails)
    .set({ state: 'suppressed', trouble, ...CONTENT_REMOVED })
    .where(eq(mails.id, id));
  return { type: 'settled', as: 'suppressed' };
}

/** Codes and links are secrets, so the content is deleted as soon as the mail no longer has to be sent. */
export const CONTENT_REMOVED = { html: '', text: '' } as const;

async function reasonToSuppress(tx: Database, mail: StoredMail, at: Date): Promise<string | null> {
  const { kind, userId, to, createdAt } = mail;
  if (kind === 'sign_in' && at.getTime() - createdAt.getTime() >= SIGN_IN_LIFETIME_MS) return 'Its code has expired.';
  if (userId !== null && kind !== 'sign_in') {
    const { users } = tables;
    const [user] = await tx
      .select({ email: users.email, hasAccess: users.hasAccess, deletedAt: users.deletedAt })
      .from(users)
      .where(eq(users.userId, userId));
    if (user === undefined || user.email === null || user.deletedAt !== null) return 'The account was erased.';
    if (user.email.toLowerCase() !== to.toLowerCase()) return 'The account has another address now.';
    if (kind === 'access_link' && !user.hasAccess) return 'The learner has no access any more.';
    if (kind === 'goodbye' && !(await isDeletionPending(tx, userId, mail.step))) return 'The deletion was withdrawn.';
    if (kind === 'trial_ending' && !(await isOnTrial(tx, userId)))
      return 'The trial has ended or was replaced by a plan.';
  }
  if (SENT_DESPITE_BOUNCES.has(kind)) return null;
  return (await isBouncing(tx, mail)) ? 'Earlier mail to this address bounced.' : null;
}

/**
 * A mail that was handed over and did not bounce is no proof that the address works, because a report can arrive days
 * later. Only a code or link that was used after the bounce is proof.
 */
async function isBouncing(tx: Database, { to, userId }: StoredMail): Promise<boolean> {
  const [bounce] = await tx
    .select({
      at: sql`max(coalesce(${mails.bouncedAt}, ${mails.sentAt}, ${mails.nextTryAt}))`.mapWith(mails.bouncedAt),
    })
    .from(mails)
    .where(and(eq(mails.to, to), eq(mails.state, 'bounced')));
  const bouncedAt = bounce?.at ?? null;
  if (bouncedAt === null) return false;
  const provedAt = userId === null ? null : await readAddressProvedAt(tx, userId);
  return provedAt === null || provedAt <= bouncedAt;
}

/** The step of the mail is the time of the request that it confirms. */
async function isDeletionPending(tx: Database, userId: string, requestedAt: string): Promise<boolean> {
  const [pending] = await tx
    .select({ requestedAt: accountDeletions.requestedAt })
    .from(accountDeletions)
    .where(and(eq(accountDeletions.userId, userId), isNull(accountDeletions.leftFor)));
  return pending?.requestedAt.toISOString() === requestedAt;
}

const isOnTrial = async (tx: Database, userId: string): Promise<boolean> => {
  const { subscriptions } = tables;
  return (
    (await tx.$count(subscriptions, and(eq(subscriptions.userId, userId), eq(subscriptions.status, 'trialing')))) > 0
  );
};

/** Checks the rules again while the learner is locked against other servers. */
async function sendingTime(
  tx: Database,
  { id, kind, step, userId }: StoredMail,
  { at, fallbackTimeZone }: { at: Date; fallbackTimeZone: string },
): Promise<Date | null> {
  if (userId === null || !isReminderKind(kind)) return at;
  if (!(await lockLearner(tx, userId))) return null;
  const parts = { now: at, fallbackTimeZone, exceptMailId: id, includesQueued: false };
  const [learner] = await readLearnersToRemind(tx, { userId }, parts);
  return learner === undefined ? null : whenToSend({ kind, step }, learner.facts, at);
}
