/** E-mail: queued with the transaction that caused it, sent at most once, and never to a learner who opted out. */
import { ADMIN_PANEL_PATH } from '@parley/contract';
import { type SchoolIdentity, UNNAMED_SCHOOL } from '@parley/domain';
import type { Database } from '../db/client.ts';
import { type Bounce, listUndelivered, type UndeliveredMail, recordBounce, resendMail } from './bounces/bounces.ts';
import { createEnqueue, type Enqueue } from './queue/enqueue.ts';
import { parseDsn } from './bounces/parse-dsn.ts';
import type { MailTransport } from '../ports/mail/mail-transport.ts';
import { type MakeAccessLink, enqueueDueReminders, type RemindParts } from './reminders/enqueue-reminders.ts';
import { renameFormerStates } from './queue/former-states.ts';
import { sendDue, type SenderParts, type SendReport, type SendSignals } from './queue/send-due.ts';
import { createUnsubscribe, type Unsubscribe } from './unsubscribe/unsubscribe.ts';
import { createUpgradeDismissal, type UpgradeDismissal } from './unsubscribe/upgrade-dismissal.ts';

export interface MailParts {
  db: Database;
  now: () => Date;
  newId: () => string;
  transport: MailTransport;
  /** The public origin of this server, used in links. */
  origin: string;
  /** Signs the unsubscribe links. */
  secret: string;
  /** Called when a learner's row has changed, so that their devices are poked. */
  onChanged: (userId: string, version: number) => void;
  /** Parley's own name and colour by default. */
  readSchool?: (db: Database) => Promise<SchoolIdentity>;
  onDeliveryFailure?: SenderParts['onDeliveryFailure'];
  /** By default, the link leads to the sign-in page. */
  makeAccessLink?: MakeAccessLink;
  /** The time zone of learners who have never used a device; UTC by default. */
  fallbackTimeZone?: string;
  chance?: () => number;
}

export interface Mail {
  /** Enqueues in the caller's transaction. False when the learner has already had this mail, or it is queued. */
  enqueue: Enqueue;
  sendDue: (signals?: SendSignals) => Promise<SendReport>;
  /** Adopts mails that servers of the previous release have enqueued since the database was migrated. */
  renameFormerStates: () => Promise<void>;
  /** Enqueues the reminders that are due and returns how many. */
  remind: (signal?: AbortSignal) => Promise<number>;
  /** The id of the mail; null when it is not ours or was recorded already. */
  recordBounce: (bounce: Bounce) => Promise<string | null>;
  /** Records a bounce from a delivery status notification (RFC 3464). */
  recordDeliveryStatus: (raw: string | Uint8Array) => Promise<string | null>;
  /** The mails that were not delivered in the last 30 days. */
  listUndelivered: () => Promise<UndeliveredMail[]>;
  /** Returns whether the mail is queued to be sent again. */
  resend: (mailId: string, actorId: string) => Promise<boolean>;
  unsubscribe: Unsubscribe;
  upgradeDismissal: UpgradeDismissal;
  /** The listener is called for each new mail, before its transaction has ended. There is one listener. */
  onEnqueued: (listener: () => void) => void;
}

export function createMail(parts: MailParts): Mail {
  const { db, now, newId, transport, onChanged, onDeliveryFailure = () => undefined, chance = Math.random } = parts;
  const { fallbackTimeZone = 'UTC', secret } = parts;
  const { origin, hostname } = new URL(parts.origin);
  let notifyEnqueued: () => void = () => undefined;
  const unsubscribe = createUnsubscribe({ db, now, origin, secret, onChanged });
  const upgradeDismissal = createUpgradeDismissal({ db, now, origin, secret });
  const { readSchool = async () => UNNAMED_SCHOOL } = parts;
  const enqueue = createEnqueue({
    now,
    newId,
    origin,
    unsubscribe,
    readSchool,
    onEnqueued: () => notifyEnqueued(),
  });
  const sender: SenderParts = {
    db,
    now,
    transport,
    fallbackTimeZone,
    onChanged,
    onDeliveryFailure,
    chance,
    messageIdOf: (mailId) => `<${mailId}@${hostname}>`,
  };
  const reminderParts: RemindParts = {
    db,
    now,
    fallbackTimeZone,
    enqueue,
    plansUrl: `${origin}/plans`,
    requestsUrl: `${origin}${ADMIN_PANEL_PATH}/learners?only=waiting`,
    dismissUpgradeUrl: upgradeDismissal.urlFor,
    makeAccessLink: parts.makeAccessLink ?? (async () => `${origin}/sign-in`),
  };
  return {
    enqueue,
    sendDue: (signals) => sendDue(sender, signals),
    renameFormerStates: () => renameFormerStates(db),
    remind: (signal) => enqueueDueReminders(reminderParts, signal),
    recordBounce: (bounce) => recordBounce(db, bounce, now()),
    recordDeliveryStatus: async (raw) => {
      const bounce = await parseDsn(raw);
      return bounce === null ? null : recordBounce(db, bounce, now());
    },
    listUndelivered: () => listUndelivered(db, now()),
    resend: (mailId, actorId) => resendMail(db, { mailId, actorId, now: now() }),
    unsubscribe,
    upgradeDismissal,
    onEnqueued: (listener) => {
      notifyEnqueued = listener;
    },
  };
}
