/** Enqueues due reminders to learners and notices to admins. */
import { isLinkUndeliverable, nextReminder, type Reminder } from '@parley/domain';
import { and, eq, inArray } from 'drizzle-orm';
import { lockLearner } from '../../account/index.ts';
import type { Database } from '../../db/client.ts';
import { mails } from '../../db/mail-tables.ts';
import { CONTENT_REMOVED } from '../queue/claim.ts';
import type { Enqueue } from '../queue/enqueue.ts';
import { type LearnerToRemind, readLearnersToRemind } from './reminder-facts.ts';
import { notifyOfUndeliveredLink, notifyOfWaitingLearners } from './admin-notices.ts';

const PAGE_SIZE = 500;

/** Creates a link that signs this learner in for seven days. */
export type MakeAccessLink = (tx: Database, learner: { userId: string; email: string }) => Promise<string>;

export interface RemindParts {
  db: Database;
  now: () => Date;
  fallbackTimeZone: string;
  enqueue: Enqueue;
  makeAccessLink: MakeAccessLink;
  plansUrl: string;
  requestsUrl: string;
  dismissUpgradeUrl: (userId: string) => string;
}

/** Returns how many were enqueued. */
export async function enqueueDueReminders(parts: RemindParts, signal?: AbortSignal): Promise<number> {
  const { db, now, fallbackTimeZone } = parts;
  let after: string | null = null;
  let count = 0;
  while (signal?.aborted !== true) {
    const at = now();
    const page = await readLearnersToRemind(
      db,
      { after, limit: PAGE_SIZE },
      { now: at, fallbackTimeZone, includesQueued: true },
    );
    for (const learner of page) {
      const { userId, facts } = learner;
      if (nextReminder(facts, at).due !== null && (await enqueueIfStillDue(parts, userId))) count += 1;
      if (isLinkUndeliverable(facts)) await notifyOfUndeliveredLink(parts, learner);
    }
    const last = page.at(-1);
    if (last === undefined) break;
    after = last.userId;
  }
  if (signal?.aborted !== true) await notifyOfWaitingLearners(parts);
  return count;
}

/** Checks again while the learner is locked, because another server may be doing the same. */
const enqueueIfStillDue = (parts: RemindParts, userId: string): Promise<boolean> =>
  parts.db.transaction(async (tx) => {
    const { now, fallbackTimeZone } = parts;
    if (!(await lockLearner(tx, userId))) return false;
    const at = now();
    const [learner] = await readLearnersToRemind(tx, { userId }, { now: at, fallbackTimeZone, includesQueued: true });
    const due = learner === undefined ? null : nextReminder(learner.facts, at).due;
    return learner === undefined || due === null ? false : enqueueReminder(parts, tx, learner, due);
  });

async function enqueueReminder(
  { enqueue, makeAccessLink, plansUrl, dismissUpgradeUrl }: RemindParts,
  tx: Database,
  { userId, email, firstName, facts }: LearnerToRemind,
  { kind, step }: Reminder,
): Promise<boolean> {
  const recipient = { userId, to: email, step };
  switch (kind) {
    case 'not_yet_practised':
      return enqueue(tx, { ...recipient, kind, data: { firstName } });
    case 'plan_upgrade': {
      const reason = facts.paidShareUsed === null ? 'free_limit' : 'paid_share';
      const data = { firstName, reason, plansUrl, dismissUrl: dismissUpgradeUrl(userId) } as const;
      return enqueue(tx, { ...recipient, kind, data });
    }
    case 'access_link_again':
      await supersedeAccessMail(tx, userId);
      break;
    case 'not_logged_in':
  }
  const link = await makeAccessLink(tx, { userId, email });
  return enqueue(tx, { ...recipient, kind, data: { firstName, link } });
}

/** If an access mail is still queued, the learner would get two. */
async function supersedeAccessMail(tx: Database, userId: string): Promise<void> {
  const { userId: ofUser, kind, state } = mails;
  await tx
    .update(mails)
    .set({ state: 'superseded', trouble: 'A newer mail replaced it.', ...CONTENT_REMOVED })
    .where(and(eq(ofUser, userId), inArray(kind, ['access_link', 'access_link_again']), eq(state, 'queued')));
}
