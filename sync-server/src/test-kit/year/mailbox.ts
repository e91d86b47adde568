/** What becomes of a mail at the other end, and what a learner does with what they find there. */
import { isReminder, judgeMail } from './judge-mail.ts';
import type { Life } from './life.ts';
import type { Handed } from './post-office.ts';
import { DAY_MS, HOUR_MS } from './wall-clock.ts';
import { nowMs, someNode, type Year } from './year.ts';

type Outcome = 'accepted' | 'deferred' | 'refused' | 'uncertain' | 'died' | 'lost';

const TROUBLED_DAYS = 5;
const LETS_IN = new Set(['access_link', 'access_link_again']);

/** What the mail server says to whom it is handed over. */
export function answerMail(year: Year, mail: Handed): Exclude<Outcome, 'died' | 'lost'> {
  const life = year.lifeByEmail.get(mail.to);
  if (year.isMailAway) return 'deferred';
  // Whoever waits for a code must get it, or nothing of their life would follow.
  if (life === undefined || mail.kind === 'sign_in') return 'accepted';
  if (life.temper.mailbox === 'refuses' && isTroubled(life, nowMs(year))) return 'refused';
  return life.chance.inPercent(0.7) ? 'uncertain' : 'accepted';
}

const isTroubled = ({ accessMs }: Life, now: number): boolean =>
  accessMs !== null && now - accessMs < TROUBLED_DAYS * DAY_MS;

export function wasHandedOver(year: Year, mail: Handed, outcome: Outcome): void {
  const life = year.lifeByEmail.get(mail.to);
  const now = nowMs(year);
  if (life !== undefined && LETS_IN.has(mail.kind) && outcome !== 'accepted' && outcome !== 'deferred')
    life.accessMail = { atMs: life.accessMail?.atMs ?? now, state: 'missed' };
  // Never twice is worth more than always once: nobody sends it again.
  if (outcome === 'lost') life?.lost.add(`${mail.kind} ${mail.step}`);
  if (isReminder(mail.kind) && outcome !== 'deferred' && outcome !== 'refused')
    life?.tried.push({ kind: mail.kind, step: mail.step, atMs: now });
  if (outcome === 'deferred' || outcome === 'refused' || outcome === 'lost') return;
  judgeMail(year, mail);
  if (life === undefined || outcome === 'uncertain') return;
  if (LETS_IN.has(mail.kind) && outcome === 'accepted') life.accessMail = { atMs: now, state: 'arrived' };
  readMail(life, mail, now);
  if (life.temper.mailbox === 'returns' && mail.kind !== 'sign_in' && isTroubled(life, now))
    year.agenda.add(now + HOUR_MS, () => comeBack(year, life, mail));
}

function readMail({ inbox }: Life, { kind, text, unsubscribeUrl }: Handed, atMs: number): void {
  const link = /\?link=([\w-]+)/.exec(text)?.[1] ?? null;
  if (kind === 'sign_in') {
    inbox.code = /\b\d{3} \d{3}\b/.exec(text)?.[0].replace(' ', '') ?? null;
    inbox.link = link;
  } else if (link !== null) inbox.accessLink = { link, atMs };
  if (isReminder(kind)) inbox.unsubscribeUrl = unsubscribeUrl;
}

/** Accepted first, and sent back later: the mail server of the sender is told. */
async function comeBack(year: Year, life: Life, { messageId, to, kind }: Handed): Promise<void> {
  if (life.erasedMs !== null) return;
  const known = await someNode(year).mail.noteBounce({ messageId, to, permanent: true, trouble: '550 no such box' });
  if (known === null || !LETS_IN.has(kind) || life.accessMail === null) return;
  life.accessMail = { ...life.accessMail, state: 'missed' };
}
