/** Lists the server's mails for admins. */
import type { AdminMailsRequest, MailRow } from '@parley/contract';
import { and, asc, desc, eq, ilike, inArray, ne, type SQL, sql } from 'drizzle-orm';
import type { Database } from '../db/client.ts';
import { mails } from '../db/mail-tables.ts';

/** All columns but the content, which contains codes and links. */
export const mailColumns = {
  id: mails.id,
  userId: mails.userId,
  to: mails.to,
  kind: mails.kind,
  subject: mails.subject,
  state: mails.state,
  tries: mails.tries,
  createdAt: mails.createdAt,
  nextTryAt: mails.nextTryAt,
  sentAt: mails.sentAt,
  isWritten: mails.isWritten,
  trouble: mails.trouble,
  canBeSentAgain: sql<boolean>`${mails.state} = 'failed' and ${mails.text} <> ''`,
};

type StoredMail = Pick<typeof mails.$inferSelect, Exclude<keyof typeof mailColumns, 'canBeSentAgain'>> & {
  canBeSentAgain: boolean;
};

/** The subject of a sign-in message begins with its code. */
export const toMailRow = ({ createdAt, nextTryAt, sentAt, ...mail }: StoredMail): MailRow => ({
  ...mail,
  subject: mail.kind === 'sign_in' ? 'Sign-in code' : mail.subject,
  createdAt: createdAt.toISOString(),
  nextTryAt: nextTryAt.toISOString(),
  sentAt: sentAt?.toISOString() ?? null,
});

export async function listMails(
  db: Database,
  { search, state, direction, page, pageSize }: AdminMailsRequest,
): Promise<{ total: number; rows: MailRow[] }> {
  const where = and(
    // A mail that the school no longer keeps has no address.
    ne(mails.to, ''),
    search === '' ? undefined : ilike(mails.to, `%${search.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`),
    state === undefined ? undefined : isInState(state),
  );
  const order = direction === 'asc' ? asc : desc;
  const [total, rows] = await Promise.all([
    db.$count(mails, where),
    db
      .select(mailColumns)
      .from(mails)
      .where(where)
      .orderBy(order(mails.createdAt), mails.id)
      .limit(pageSize)
      .offset(page * pageSize),
  ]);
  return { total, rows: rows.map(toMailRow) };
}

function isInState(state: NonNullable<AdminMailsRequest['state']>): SQL | undefined {
  if (state === 'undelivered') return inArray(mails.state, ['failed', 'bounced']);
  if (state === 'sent' || state === 'written')
    return and(eq(mails.state, 'sent'), eq(mails.isWritten, state === 'written'));
  return eq(mails.state, state);
}
