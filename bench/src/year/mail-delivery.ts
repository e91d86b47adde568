/** Simulates mail servers and what a learner does with their mails. */
import { isReminder, checkMail } from './oracle/check-mail.ts';
import type { AccountScript } from './account-script.ts';
import type { ObservedMail } from './oracle/mail-oracle.ts';
import { DAY_MS, HOUR_MS } from './wall-clock.ts';
import { nowMs, randomNode, type SimulatedYear } from './simulated-year.ts';

type Outcome = 'accepted' | 'deferred' | 'refused' | 'uncertain' | 'died' | 'lost';

const BAD_MAILBOX_DAYS = 5;
const ACCESS_MAIL_KINDS = new Set(['access_link', 'access_link_again']);

/** The recipient's mail server's answer. */
export function answerAsMailServer(year: SimulatedYear, mail: ObservedMail): Exclude<Outcome, 'died' | 'lost'> {
  const script = year.accountByEmail.get(mail.to);
  if (year.isMailDown) return 'deferred';
  // Sign-in codes always arrive, because otherwise the learner could do nothing else.
  if (script === undefined || mail.kind === 'sign_in') return 'accepted';
  if (script.habits.mailbox === 'refuses' && isMailboxBad(script, nowMs(year))) return 'refused';
  return script.chance.isWithinPercent(0.7) ? 'uncertain' : 'accepted';
}

const isMailboxBad = ({ accessMs }: AccountScript, now: number): boolean =>
  accessMs !== null && now - accessMs < BAD_MAILBOX_DAYS * DAY_MS;

export function recordDelivery(year: SimulatedYear, mail: ObservedMail, outcome: Outcome): void {
  const script = year.accountByEmail.get(mail.to);
  const now = nowMs(year);
  if (script !== undefined && ACCESS_MAIL_KINDS.has(mail.kind) && outcome !== 'accepted' && outcome !== 'deferred')
    script.accessMail = { atMs: script.accessMail?.atMs ?? now, state: 'missed' };
  // A lost mail is never sent again, because mails are sent at most once.
  if (outcome === 'lost') script?.lostMails.add(`${mail.kind} ${mail.step}`);
  if (isReminder(mail.kind) && outcome !== 'deferred' && outcome !== 'refused')
    script?.attemptedReminders.push({ kind: mail.kind, step: mail.step, atMs: now });
  if (outcome === 'deferred' || outcome === 'refused' || outcome === 'lost') return;
  checkMail(year, mail);
  if (script === undefined || outcome === 'uncertain') return;
  if (ACCESS_MAIL_KINDS.has(mail.kind) && outcome === 'accepted') script.accessMail = { atMs: now, state: 'arrived' };
  readMail(script, mail, now);
  if (script.habits.mailbox === 'returns' && mail.kind !== 'sign_in' && isMailboxBad(script, now))
    year.schedule.add(now + HOUR_MS, () => bounce(year, script, mail));
}

function readMail({ inbox }: AccountScript, { kind, text, unsubscribeUrl }: ObservedMail, atMs: number): void {
  const link = /\?link=([\w-]+)/.exec(text)?.[1] ?? null;
  if (kind === 'sign_in') {
    inbox.code = /\b\d{3} \d{3}\b/.exec(text)?.[0].replace(' ', '') ?? null;
    inbox.link = link;
  } else if (link !== null) inbox.accessLink = { link, atMs };
  if (isReminder(kind)) inbox.unsubscribeUrl = unsubscribeUrl;
}

/** The mail was accepted first and bounced later, so the sending server is notified. */
async function bounce(
  year: SimulatedYear,
  script: AccountScript,
  { messageId, to, kind }: ObservedMail,
): Promise<void> {
  if (script.erasedMs !== null) return;
  const known = await randomNode(year).mail.recordBounce({
    messageId,
    to,
    outcome: 'bounced',
    trouble: '550 no such mailbox',
  });
  if (known === null || !ACCESS_MAIL_KINDS.has(kind) || script.accessMail === null) return;
  script.accessMail = { ...script.accessMail, state: 'missed' };
}
