/** Who carries the year's e-mails: well, badly, not at all, or into a server that dies meanwhile. */
import { eq } from 'drizzle-orm';
import type { Database } from '../../db/client.ts';
import { mails } from '../../db/tables.ts';
import type { HandOver, MailTransport, OutgoingMail } from '../../mail/index.ts';

/** One that was handed over, or may have been. */
export interface Handed {
  mailId: string;
  messageId: string;
  userId: string | null;
  kind: string;
  step: string;
  to: string;
  text: string;
  /** What one click on "unsubscribe" in a mail program asks for. */
  unsubscribeUrl: string | null;
}

/** `deferred`, `refused`: it surely was not handed over. `uncertain`: it may have been. Lost: with the server that had taken it. */
type Outcome = HandOver['outcome'];

export interface PostOffice {
  transport: MailTransport;
  /** Of a server that dies while it hands a mail over: before the other side has it, or after. */
  dyingTransport: (dies: { when: 'before' | 'after'; died: () => void }) => MailTransport;
}

export interface PostOfficeParts {
  db: Database;
  answer: (mail: Handed) => Outcome;
  wasHandedOver: (mail: Handed, outcome: Outcome | 'died' | 'lost') => void;
}

export function createPostOffice({ db, answer, wasHandedOver }: PostOfficeParts): PostOffice {
  /** What kind of mail it is nobody could tell from its words. */
  async function look(mail: OutgoingMail): Promise<Handed> {
    const { id, messageId, to, text, headers } = mail;
    const [row] = await db
      .select({ userId: mails.userId, kind: mails.kind, step: mails.step })
      .from(mails)
      .where(eq(mails.id, id));
    const unsubscribeUrl = /<(https?:[^>]+)>/.exec(headers['List-Unsubscribe'] ?? '')?.[1] ?? null;
    const { userId = null, kind = 'none that is written down', step = '' } = row ?? {};
    return { mailId: id, messageId, userId, kind, step, to, text, unsubscribeUrl };
  }

  return {
    transport: {
      name: 'post office of the year',
      send: async (mail) => {
        const handed = await look(mail);
        const outcome = answer(handed);
        wasHandedOver(handed, outcome);
        return outcome === 'accepted' ? { outcome } : { outcome, trouble: `told to say "${outcome}"` };
      },
    },
    dyingTransport: ({ when, died }) => ({
      name: 'post office of the year',
      send: async (mail) => {
        wasHandedOver(await look(mail), when === 'after' ? 'died' : 'lost');
        died();
        // The process is gone: whoever waits for this waits for ever.
        return new Promise<never>(() => undefined);
      },
    }),
  };
}
