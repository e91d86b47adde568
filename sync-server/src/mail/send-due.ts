/** Sends what is due: each mail is claimed, handed over outside any transaction, and what came of it is written down. */
import type { ReminderKind } from '@parley/domain';
import { and, eq } from 'drizzle-orm';
import { mails } from '../db/tables.ts';
import { claimNext, type ClaimParts, type StoredMail, WITHOUT_WORDS } from './claim.ts';
import { writeAccountFields } from './learner-row.ts';
import type { HandOver, MailTransport } from './ports.ts';
import { isReminderKind } from './reminder-facts.ts';

const MINUTE_MS = 60_000;
/** After the first try, the second, ...: five tries in about 24 hours. */
const WAITS_MS = [5, 30, 180, 1_080].map((minutes) => minutes * MINUTE_MS);
/** Whoever waits for a code waits for minutes. */
const SIGN_IN_WAITS_MS = [0.5, 1, 2, 5].map((minutes) => minutes * MINUTE_MS);
/** Longer by up to this share, so that what failed together does not come back together. */
const JITTER = 0.2;
const AT_ONCE = 4;

const FLAG_BY_KIND: Record<ReminderKind, Parameters<typeof writeAccountFields>[2]['fields']> = {
  access_link_again: { accessLinkNotReceivedEmailSent: true },
  not_logged_in: { notLoggedInAfterAccessEmailSent: true },
  not_yet_practised: { notYetPracticedEmailSent: true },
  plan_upgrade: { planUpgradeReminderEmailSent: true },
};

export interface SentCount {
  sent: number;
  /** To be tried again, or in the morning. */
  postponed: number;
  bounced: number;
  failed: number;
  dropped: number;
}

export interface SenderParts extends ClaimParts {
  transport: MailTransport;
  messageIdOf: (mailId: string) => string;
  changed: (userId: string, version: number) => void;
  /** 0 to 1. */
  chance: () => number;
  /** For the log: which mail and what happened, never what it says or to whom. */
  onTrouble: (trouble: { mailId: string; kind: string; outcome: string; error?: unknown }) => void;
}

/** All that is due now. Once the signal has ended nothing more is taken, and what is on its way is waited for. */
export async function sendDue(parts: SenderParts, signal?: AbortSignal): Promise<SentCount> {
  const count: SentCount = { sent: 0, postponed: 0, bounced: 0, failed: 0, dropped: 0 };
  const work = async (): Promise<void> => {
    while (signal?.aborted !== true) {
      const claimed = await claimNext(parts);
      if (claimed.type === 'none') return;
      count[claimed.type === 'mail' ? await deliver(parts, claimed.mail) : claimed.as] += 1;
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return count;
}

async function deliver(parts: SenderParts, mail: StoredMail): Promise<keyof SentCount> {
  const { transport, messageIdOf, onTrouble } = parts;
  const { id, to, subject, html, text, headers, kind } = mail;
  const handOver = await transport
    .send({ id, messageId: messageIdOf(id), to, subject, html, text, headers })
    .catch((error: unknown): HandOver => {
      onTrouble({ mailId: id, kind, outcome: 'bug', error });
      return { outcome: 'uncertain', trouble: error instanceof Error ? error.message : String(error) };
    });
  if (handOver.outcome !== 'accepted') onTrouble({ mailId: id, kind, outcome: handOver.outcome });
  return noteOutcome(parts, mail, handOver);
}

async function noteOutcome(
  { db, now, chance, changed }: SenderParts,
  mail: StoredMail,
  handOver: HandOver,
): Promise<keyof SentCount> {
  const at = now();
  const [as, set] = whatBecame(mail, handOver, { at, chance });
  const { userId, kind } = mail;
  const version = await db.transaction(async (tx) => {
    // Who has heard of a bounce meanwhile knows better.
    const [noted] = await tx
      .update(mails)
      .set(set)
      .where(and(eq(mails.id, mail.id), eq(mails.state, 'failed'), eq(mails.tries, mail.tries)))
      .returning({ id: mails.id });
    if (noted === undefined || as !== 'sent' || userId === null || !isReminderKind(kind)) return null;
    return writeAccountFields(tx, userId, { fields: FLAG_BY_KIND[kind], at });
  });
  if (version !== null && userId !== null) changed(userId, version);
  return as;
}

function whatBecame(
  { kind, tries }: StoredMail,
  handOver: HandOver,
  { at, chance }: { at: Date; chance: () => number },
): [as: keyof SentCount, set: Partial<StoredMail>] {
  if (handOver.outcome === 'accepted') return ['sent', { state: 'sent', sentAt: at, trouble: null, ...WITHOUT_WORDS }];
  const { outcome, trouble } = handOver;
  if (outcome === 'refused') return ['bounced', { state: 'bounced', trouble, ...WITHOUT_WORDS }];
  if (outcome === 'uncertain') return ['failed', { trouble }];
  const waitMs = (kind === 'sign_in' ? SIGN_IN_WAITS_MS : WAITS_MS)[tries - 1];
  if (waitMs === undefined) return ['failed', { trouble: `Given up after ${tries} tries: ${trouble}` }];
  const nextTryAt = new Date(at.getTime() + waitMs * (1 + JITTER * chance()));
  return ['postponed', { state: 'waiting', nextTryAt, trouble }];
}
