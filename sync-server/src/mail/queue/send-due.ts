/** Sends due mails: each is claimed, sent outside any transaction, and its outcome is stored. */
import type { ReminderKind } from '@parley/domain';
import { and, eq, inArray } from 'drizzle-orm';
import { mails } from '../../db/mail-tables.ts';
import { claimNext, type ClaimParts, CONTENT_REMOVED, failInterrupted, type StoredMail } from './claim.ts';
import { writeAccountFields } from '../learner-fields.ts';
import type { SendResult, MailTransport } from '../../ports/mail/mail-transport.ts';
import { isReminderKind } from '../reminders/reminder-facts.ts';
import { storableReason } from '../storable-reason.ts';

const MINUTE_MS = 60_000;
/** Delays after each attempt: five attempts in about 24 hours. */
const RETRY_DELAYS_MS = [5, 30, 180, 1_080].map((minutes) => minutes * MINUTE_MS);
/** A learner waits only minutes for a code. */
const SIGN_IN_RETRY_DELAYS_MS = [0.5, 1, 2, 5].map((minutes) => minutes * MINUTE_MS);
/** Delays grow by up to this share, so that mails that failed together are not retried together. */
const JITTER = 0.2;
const CONCURRENCY = 4;

const FLAG_BY_KIND: Record<ReminderKind, Parameters<typeof writeAccountFields>[2]['fields']> = {
  access_link_again: { accessLinkNotReceivedEmailSent: true },
  not_logged_in: { notLoggedInAfterAccessEmailSent: true },
  not_yet_practised: { notYetPracticedEmailSent: true },
  plan_upgrade: { planUpgradeReminderEmailSent: true },
};

export interface SendReport {
  sent: number;
  /** Mails that will be retried, or sent in the morning. */
  postponed: number;
  bounced: number;
  failed: number;
  suppressed: number;
}

export interface SenderParts extends ClaimParts {
  transport: MailTransport;
  messageIdOf: (mailId: string) => string;
  onChanged: (userId: string, version: number) => void;
  /** Returns a random number from 0 to 1. */
  chance: () => number;
  /** For the log: which mail it was and what happened, never its content or recipient. */
  onDeliveryFailure: (trouble: { mailId: string; kind: string; outcome: string; error?: unknown }) => void;
}

export interface SendSignals {
  /** Nothing more is claimed after it; mails that are being sent are waited for. */
  signal?: AbortSignal | undefined;
  /** Mails that are being sent are given up after it. Those that the mail server cannot have yet are queued again. */
  giveUp?: AbortSignal | undefined;
}

/** Sends everything that is due. */
export async function sendDue(parts: SenderParts, { signal, giveUp }: SendSignals = {}): Promise<SendReport> {
  const count: SendReport = { sent: 0, postponed: 0, bounced: 0, failed: 0, suppressed: 0 };
  await failInterrupted(parts.db, parts.now());
  const work = async (): Promise<void> => {
    while (signal?.aborted !== true) {
      const claimed = await claimNext(parts);
      if (claimed.type === 'none') return;
      count[claimed.type === 'mail' ? await deliver(parts, claimed.mail, giveUp) : claimed.as] += 1;
    }
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, work));
  return count;
}

async function deliver(
  parts: SenderParts,
  mail: StoredMail,
  giveUp: AbortSignal | undefined,
): Promise<keyof SendReport> {
  const { transport, messageIdOf, onDeliveryFailure } = parts;
  const { id, to, subject, html, text, headers, kind } = mail;
  const handOver = await transport
    .send({ id, messageId: messageIdOf(id), to, subject, html, text, headers }, giveUp)
    .catch((error: unknown): SendResult => {
      onDeliveryFailure({ mailId: id, kind, outcome: 'bug', error });
      return { outcome: 'uncertain', trouble: error instanceof Error ? error.message : String(error) };
    });
  if (handOver.outcome !== 'accepted') onDeliveryFailure({ mailId: id, kind, outcome: handOver.outcome });
  return storeOutcome(parts, mail, handOver);
}

async function storeOutcome(
  { db, now, chance, onChanged, transport }: SenderParts,
  mail: StoredMail,
  handOver: SendResult,
): Promise<keyof SendReport> {
  const at = now();
  const [as, set] = toMailUpdate(mail, handOver, { at, chance, isWritten: transport.writesToFolder === true });
  const { userId, kind } = mail;
  const version = await db.transaction(async (tx) => {
    // The update is skipped when a bounce was recorded in the meantime. A slow mail may have been marked as
    // interrupted.
    const [noted] = await tx
      .update(mails)
      .set(set)
      .where(and(eq(mails.id, mail.id), inArray(mails.state, ['sending', 'failed']), eq(mails.tries, mail.tries)))
      .returning({ id: mails.id });
    if (noted === undefined || as !== 'sent' || userId === null || !isReminderKind(kind)) return null;
    return writeAccountFields(tx, userId, { fields: FLAG_BY_KIND[kind], at });
  });
  if (version !== null && userId !== null) onChanged(userId, version);
  return as;
}

function toMailUpdate(
  { kind, tries }: StoredMail,
  handOver: SendResult,
  { at, chance, isWritten }: { at: Date; chance: () => number; isWritten: boolean },
): [as: keyof SendReport, set: Partial<StoredMail>] {
  if (handOver.outcome === 'accepted')
    return ['sent', { state: 'sent', sentAt: at, isWritten, trouble: null, ...CONTENT_REMOVED }];
  const { outcome } = handOver;
  const trouble = storableReason(handOver.trouble);
  if (outcome === 'refused') return ['bounced', { state: 'bounced', bouncedAt: at, trouble, ...CONTENT_REMOVED }];
  if (outcome === 'uncertain') return ['failed', { state: 'failed', trouble }];
  const waitMs = (kind === 'sign_in' ? SIGN_IN_RETRY_DELAYS_MS : RETRY_DELAYS_MS)[tries - 1];
  if (waitMs === undefined)
    return ['failed', { state: 'failed', trouble: `Given up after ${tries} tries: ${trouble}` }];
  const nextTryAt = new Date(at.getTime() + waitMs * (1 + JITTER * chance()));
  return ['postponed', { state: 'queued', nextTryAt, trouble }];
}
