/** Mails that came back, and those that did not go out: what an admin should see. */
import { and, desc, eq, gte, inArray, lte, or } from 'drizzle-orm';
import type { Database } from '../db/client.ts';
import { mails } from '../db/tables.ts';
import { HANDED_OVER_WITHIN_MS } from './access-mail.ts';
import { WITHOUT_WORDS } from './claim.ts';
import type { MailKind } from './templates/index.ts';

export interface Bounce {
  /** Of the mail that came back; with or without its angle brackets. */
  messageId: string | null;
  /** Where it was to go. */
  to: string | null;
  /** False: it is late, and somebody is still trying. */
  permanent: boolean;
  trouble: string;
}

export interface MailInTrouble {
  id: string;
  userId: string | null;
  to: string;
  kind: MailKind;
  step: string;
  state: 'failed' | 'bounced';
  createdAt: Date;
  trouble: string | null;
  /** Whether its words are still there to be sent once more. */
  canBeSentAgain: boolean;
}

const TROUBLE_CHARACTERS = 500;
const SHOWN_FOR_MS = 30 * 24 * 3_600_000;
const SHOWN = 200;

/** The mail that it was, or null: not one of ours, or known already. */
export async function noteBounce(db: Database, { messageId, to, permanent, trouble }: Bounce): Promise<string | null> {
  const mailId = /^<?([0-9a-f]{8}-[0-9a-f-]{27})@/.exec(messageId ?? '')?.[1];
  if (mailId === undefined && to === null) return null;
  const which = mailId === undefined ? eq(mails.to, to ?? '') : eq(mails.id, mailId);
  return db.transaction(async (tx) => {
    const [mail] = await tx
      .select({ id: mails.id })
      .from(mails)
      .where(and(which, inArray(mails.state, ['sent', 'failed'])))
      .orderBy(desc(mails.createdAt))
      .limit(1)
      .for('update');
    if (mail === undefined) return null;
    const short = trouble.slice(0, TROUBLE_CHARACTERS);
    await tx
      .update(mails)
      .set(permanent ? { state: 'bounced', trouble: short, ...WITHOUT_WORDS } : { trouble: short })
      .where(eq(mails.id, mail.id));
    return mail.id;
  });
}

/** The newest first. What is just being handed over is not in trouble yet. */
export async function listTroubles(db: Database, now: Date): Promise<MailInTrouble[]> {
  const handedOver = new Date(now.getTime() - HANDED_OVER_WITHIN_MS);
  const rows = await db
    .select()
    .from(mails)
    .where(
      and(
        or(eq(mails.state, 'bounced'), and(eq(mails.state, 'failed'), lte(mails.nextTryAt, handedOver))),
        gte(mails.createdAt, new Date(now.getTime() - SHOWN_FOR_MS)),
      ),
    )
    .orderBy(desc(mails.createdAt))
    .limit(SHOWN);
  return rows.flatMap(({ id, userId, to, kind, step, state, createdAt, trouble, text }): MailInTrouble[] =>
    state === 'failed' || state === 'bounced'
      ? [{ id, userId, to, kind, step, state, createdAt, trouble, canBeSentAgain: text !== '' }]
      : [],
  );
}

/** At an admin's word, who may have asked the learner: the one way in which a mail can come twice. */
export async function sendAgain(db: Database, mailId: string, now: Date): Promise<boolean> {
  const handedOver = new Date(now.getTime() - HANDED_OVER_WITHIN_MS);
  const [waiting] = await db
    .update(mails)
    .set({ state: 'waiting', tries: 0, nextTryAt: now, trouble: null })
    .where(and(eq(mails.id, mailId), eq(mails.state, 'failed'), lte(mails.nextTryAt, handedOver)))
    .returning({ id: mails.id });
  return waiting !== undefined;
}
