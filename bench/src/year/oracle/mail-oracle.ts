/** The mail oracle: a scripted transport that records what becomes of each mail. */
import { eq } from 'drizzle-orm';
import type { Database } from '../../../../sync-server/src/db/client.ts';
import { mails } from '../../../../sync-server/src/db/mail-tables.ts';
import type { SendResult, MailTransport, OutgoingMail } from '../../../../sync-server/src/mail/index.ts';

/** A mail that was sent, or may have been. */
export interface ObservedMail {
  mailId: string;
  messageId: string;
  userId: string | null;
  kind: string;
  step: string;
  to: string;
  text: string;
  /** The one-click unsubscribe link in the mail's headers. */
  unsubscribeUrl: string | null;
}

/**
 * `deferred` and `refused`: certainly not sent. `uncertain`: perhaps sent. `died` and `lost`: the sending server died after or before it
 * was sent.
 */
type Outcome = SendResult['outcome'];

export interface MailOracle {
  transport: MailTransport;
  /** The transport of a server that dies before or after it sends a mail. */
  crashingTransport: (dies: { when: 'before' | 'after'; died: () => void }) => MailTransport;
}

export interface MailOracleParts {
  db: Database;
  answer: (mail: ObservedMail) => Outcome;
  onDelivered: (mail: ObservedMail, outcome: Outcome | 'died' | 'lost') => void;
}

export function createMailOracle({ db, answer, onDelivered }: MailOracleParts): MailOracle {
  /** Reads the mail's kind from the database, because its text does not show it. */
  async function observe(mail: OutgoingMail): Promise<ObservedMail> {
    const { id, messageId, to, text, headers } = mail;
    const [row] = await db
      .select({ userId: mails.userId, kind: mails.kind, step: mails.step })
      .from(mails)
      .where(eq(mails.id, id));
    const unsubscribeUrl = /<(https?:[^>]+)>/.exec(headers['List-Unsubscribe'] ?? '')?.[1] ?? null;
    const { userId = null, kind = 'unknown', step = '' } = row ?? {};
    return { mailId: id, messageId, userId, kind, step, to, text, unsubscribeUrl };
  }

  return {
    transport: {
      name: 'simulated mail',
      send: async (mail) => {
        const handed = await observe(mail);
        const outcome = answer(handed);
        onDelivered(handed, outcome);
        return outcome === 'accepted' ? { outcome } : { outcome, trouble: `scripted to answer "${outcome}"` };
      },
    },
    crashingTransport: ({ when, died }) => ({
      name: 'simulated mail',
      send: async (mail) => {
        onDelivered(await observe(mail), when === 'after' ? 'died' : 'lost');
        died();
        // The process is dead, so this promise never settles.
        return new Promise<never>(() => undefined);
      },
    }),
  };
}
