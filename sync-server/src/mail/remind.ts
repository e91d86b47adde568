/** Goes through all learners and writes down the reminders that are due, and what admins should hear of. */
import { isLinkLost, nextReminder, type Reminder } from '@parley/domain';
import { and, eq, inArray, sql } from 'drizzle-orm';
import { lockLearner } from '../account/index.ts';
import type { Database } from '../db/client.ts';
import { mails } from '../db/tables.ts';
import type { Enqueue } from './enqueue.ts';
import { type LearnerToRemind, readLearnersToRemind } from './reminder-facts.ts';
import { tellOfLostLink, tellWhoWaits } from './tell-admins.ts';

const PAGE = 500;

/** Makes a link that signs this learner in for seven days. */
export type MakeAccessLink = (tx: Database, learner: { userId: string; email: string }) => Promise<string>;

export interface RemindParts {
  db: Database;
  now: () => Date;
  fallbackTimeZone: string;
  enqueue: Enqueue;
  makeAccessLink: MakeAccessLink;
  plansUrl: string;
}

/** How many were written down. */
export async function remind(parts: RemindParts, signal?: AbortSignal): Promise<number> {
  const { db, now, fallbackTimeZone } = parts;
  let after: string | null = null;
  let count = 0;
  while (signal?.aborted !== true) {
    const at = now();
    const page = await readLearnersToRemind(
      db,
      { after, limit: PAGE },
      { now: at, fallbackTimeZone, countsWaiting: true },
    );
    for (const learner of page) {
      const { userId, facts } = learner;
      if (nextReminder(facts, at).due !== null && (await writeDown(parts, userId))) count += 1;
      if (isLinkLost(facts)) await tellOfLostLink(parts, learner);
    }
    const last = page.at(-1);
    if (last === undefined) break;
    after = last.userId;
  }
  if (signal?.aborted !== true) await tellWhoWaits(parts);
  return count;
}

/** Looks again with this learner held fast, since another server may be looking too. */
const writeDown = (parts: RemindParts, userId: string): Promise<boolean> =>
  parts.db.transaction(async (tx) => {
    const { now, fallbackTimeZone } = parts;
    if (!(await lockLearner(tx, userId))) return false;
    const at = now();
    const [learner] = await readLearnersToRemind(tx, { userId }, { now: at, fallbackTimeZone, countsWaiting: true });
    const due = learner === undefined ? null : nextReminder(learner.facts, at).due;
    return learner === undefined || due === null ? false : enqueueReminder(parts, tx, learner, due);
  });

async function enqueueReminder(
  { enqueue, makeAccessLink, plansUrl }: RemindParts,
  tx: Database,
  { userId, email, firstName, facts }: LearnerToRemind,
  { kind, step }: Reminder,
): Promise<boolean> {
  const whom = { userId, to: email, step };
  switch (kind) {
    case 'not_yet_practised':
      return enqueue(tx, { ...whom, kind, data: { firstName } });
    case 'plan_upgrade': {
      const reason = facts.paidShareUsed === null ? 'free_limit' : 'paid_share';
      return enqueue(tx, { ...whom, kind, data: { firstName, reason, plansUrl } });
    }
    case 'access_link_again':
      await supersedeAccessMail(tx, userId);
      break;
    case 'not_logged_in':
  }
  const link = await makeAccessLink(tx, { userId, email });
  return enqueue(tx, { ...whom, kind, data: { firstName, link } });
}

/** One that still waits for a mail server to come back would arrive beside the new one; it has failed, or there would be no new one. */
async function supersedeAccessMail(tx: Database, userId: string): Promise<void> {
  const { userId: ofUser, kind, state, createdAt } = mails;
  await tx
    .update(mails)
    .set({ state: 'failed', trouble: 'A newer one was written in its place.', nextTryAt: sql`${createdAt}` })
    .where(and(eq(ofUser, userId), inArray(kind, ['access_link', 'access_link_again']), eq(state, 'waiting')));
}
