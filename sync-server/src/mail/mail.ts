/** E-mails: written down with what they are about, sent once, and never to somebody who does not want them. */
import type { Database } from '../db/client.ts';
import { type Bounce, listTroubles, type MailInTrouble, noteBounce, sendAgain } from './bounces.ts';
import { createEnqueue, type Enqueue } from './enqueue.ts';
import { parseDsn } from './parse-dsn.ts';
import type { MailTransport } from './ports.ts';
import { type MakeAccessLink, remind, type RemindParts } from './remind.ts';
import { sendDue, type SenderParts, type SentCount } from './send-due.ts';
import { createUnsubscribe, type Unsubscribe } from './unsubscribe.ts';

export interface MailParts {
  db: Database;
  now: () => Date;
  newId: () => string;
  transport: MailTransport;
  /** Where this server is reached from outside; links begin with it. */
  origin: string;
  /** Seals links. */
  secret: string;
  /** Told when a learner's devices have something to fetch. */
  changed: (userId: string, version: number) => void;
  onTrouble?: SenderParts['onTrouble'];
  /** Without it, links lead to the page where one asks for a code. */
  makeAccessLink?: MakeAccessLink;
  /** Where learners are assumed to be who never used a device; UTC when nothing is said. */
  fallbackTimeZone?: string;
  chance?: () => number;
}

export interface Mail {
  /** In the caller's transaction. False: this learner has got this one before, or it is on its way. */
  enqueue: Enqueue;
  sendDue: (signal?: AbortSignal) => Promise<SentCount>;
  /** Writes down the reminders that are due; returns how many. */
  remind: (signal?: AbortSignal) => Promise<number>;
  /** The id of the mail that it was; null when it was none of ours, or is known already. */
  noteBounce: (bounce: Bounce) => Promise<string | null>;
  /** The same, from what a mail server sends back (RFC 3464). */
  noteNotification: (raw: string) => Promise<string | null>;
  /** What did not arrive in the last 30 days. */
  troubles: () => Promise<MailInTrouble[]>;
  sendAgain: (mailId: string) => Promise<boolean>;
  unsubscribe: Unsubscribe;
  /** Told of each new mail, before its transaction has ended. One listener. */
  onEnqueued: (listener: () => void) => void;
}

export function createMail(parts: MailParts): Mail {
  const { db, now, newId, transport, changed, onTrouble = () => undefined, chance = Math.random } = parts;
  const { fallbackTimeZone = 'UTC', secret } = parts;
  const { origin, hostname } = new URL(parts.origin);
  let enqueued: () => void = () => undefined;
  const unsubscribe = createUnsubscribe({ db, now, origin, secret, changed });
  const enqueue = createEnqueue({ now, newId, origin, unsubscribe, enqueued: () => enqueued() });
  const sender: SenderParts = {
    db,
    now,
    transport,
    fallbackTimeZone,
    changed,
    onTrouble,
    chance,
    messageIdOf: (mailId) => `<${mailId}@${hostname}>`,
  };
  const reminding: RemindParts = {
    db,
    now,
    fallbackTimeZone,
    enqueue,
    plansUrl: `${origin}/plans`,
    makeAccessLink: parts.makeAccessLink ?? (async () => `${origin}/sign-in`),
  };
  return {
    enqueue,
    sendDue: (signal) => sendDue(sender, signal),
    remind: (signal) => remind(reminding, signal),
    noteBounce: (bounce) => noteBounce(db, bounce),
    noteNotification: async (raw) => {
      const bounce = parseDsn(raw);
      return bounce === null ? null : noteBounce(db, bounce);
    },
    troubles: () => listTroubles(db, now()),
    sendAgain: (mailId) => sendAgain(db, mailId, now()),
    unsubscribe,
    onEnqueued: (listener) => {
      enqueued = listener;
    },
  };
}
