/** Reads what reminders depend on for a page of learners, with a fixed number of statements. */
import {
  allowanceIn,
  isKnownTimeZone,
  localDayFormatter,
  meteringPeriod,
  effectivePlan,
  REMINDER_KINDS,
  type ReminderFacts,
  type ReminderKind,
  type PastReminder,
} from '@parley/domain';
import { readPlansOnSale } from '../../billing/index.ts';
import type { Database } from '../../db/client.ts';
import { findAccessMailMissedAt } from './access-mail-delivery.ts';
import {
  readDevices,
  readMails,
  readPlans,
  readSignIns,
  readLimitDays,
  readUsageSince,
  readUsers,
  type LearnerSelection,
} from './reminder-rows.ts';

export interface LearnerToRemind {
  userId: string;
  email: string;
  firstName: string | null;
  facts: ReminderFacts;
}

export interface FactsParts {
  now: Date;
  /** The time zone of learners who have never used a device. */
  fallbackTimeZone: string;
  /** The mail that is about to be sent, which must not block itself. */
  exceptMailId?: string;
  /** Whether a queued mail counts as sent. */
  includesQueued: boolean;
}

export async function readLearnersToRemind(
  db: Database,
  whom: LearnerSelection,
  parts: FactsParts,
): Promise<LearnerToRemind[]> {
  const rows = await readUsers(db, whom);
  const ids = rows.map(({ userId }) => userId);
  if (ids.length === 0) return [];
  const devicesByUserId = byUser(await readDevices(db, ids));
  const signInsByUserId = byUser(await readSignIns(db, ids));
  const mailsByUserId = groupByUser(await readMails(db, ids));
  const plansByUserId = byUser(await readPlans(db, ids));
  const limitDaysByUserId = groupByUser(await readLimitDays(db, ids, parts.now));
  const plansOnSale = await readPlansOnSale(db);
  const usageByUserId = byUser(await readUsageSince(db, periodsOfPlus([...plansByUserId.values()], parts.now)));

  return rows.flatMap((user): LearnerToRemind[] => {
    const { userId, email, firstName, accessDate, emailNotifications, hasPractised } = user;
    if (email === null || accessDate === null) return [];
    const device = devicesByUserId.get(userId);
    const reportedTimeZone = device?.timeZone ?? null;
    const timeZone =
      reportedTimeZone !== null && isKnownTimeZone(reportedTimeZone) ? reportedTimeZone : parts.fallbackTimeZone;
    const subscription = plansByUserId.get(userId) ?? null;
    // If the payment for a plan is late, the learner continues it by paying the open amount instead of choosing another
    // plan.
    const offeredFrom = subscription?.status === 'past_due' ? null : effectivePlan(subscription, parts.now);
    const since = subscription?.endedAt ?? subscription?.currentPeriodEnd ?? null;
    const freeSince = since === null ? '' : localDayFormatter(timeZone)(since);
    const ofLearner = (mailsByUserId.get(userId) ?? []).filter(({ id }) => id !== parts.exceptMailId);
    const facts: ReminderFacts = {
      accessGrantedAt: accessDate,
      accessMailMissedAt: findAccessMailMissedAt(ofLearner, parts.now),
      signedInAt: signedInSince(accessDate, {
        first: signInsByUserId.get(userId)?.at ?? null,
        last: user.lastLoginAt,
        seen: device?.lastSeenAt ?? null,
      }),
      hasPractised,
      limitDays:
        offeredFrom === 'FREE' && plansOnSale.size > 0
          ? (limitDaysByUserId.get(userId) ?? []).flatMap(({ day }) => (day > freeSince ? [day] : []))
          : [],
      // No plan is larger than PRO.
      paidShareUsed:
        subscription !== null && offeredFrom === 'PLUS' && plansOnSale.has('PRO')
          ? Number(usageByUserId.get(userId)?.seconds ?? 0) /
            allowanceIn('PLUS', meteringPeriod(subscription, parts.now)).liveS
          : null,
      isUpgradeDismissed: ofLearner.some(({ kind, dismissedAt }) => kind === 'plan_upgrade' && dismissedAt !== null),
      emailNotifications,
      timeZone,
      pastReminders: ofLearner.flatMap(({ kind, step, state, createdAt, sentAt, nextTryAt }): PastReminder[] => {
        if (!isReminderKind(kind) || (state === 'queued' && !parts.includesQueued)) return [];
        const isUnsent = state === 'queued' || state === 'suppressed' || state === 'superseded';
        return [{ kind, step, at: isUnsent ? createdAt : (sentAt ?? nextTryAt), wasDropped: state === 'suppressed' }];
      }),
    };
    return [{ userId, email, firstName, facts }];
  });
}

export const isReminderKind = (kind: string): kind is ReminderKind => REMINDER_KINDS.some((each) => each === kind);

/** A learner who was signed in when access was granted needs no link, because their device shows it. */
function signedInSince(
  accessDate: Date,
  at: { first: Date | null; last: Date | null; seen: Date | null },
): Date | null {
  const times = [at.first, at.last].filter((time) => time !== null && time >= accessDate);
  return times[0] ?? (at.seen !== null && at.seen >= accessDate ? accessDate : null);
}

/** A yearly plan has a monthly allowance too. */
const periodsOfPlus = (plans: Awaited<ReturnType<typeof readPlans>>, now: Date): { userId: string; since: Date }[] =>
  plans.flatMap((plan) => {
    const { startsAt } = meteringPeriod(plan, now);
    return effectivePlan(plan, now) !== 'PLUS' || startsAt === null ? [] : [{ userId: plan.userId, since: startsAt }];
  });

const byUser = <Row extends { userId: string }>(rows: readonly Row[]): Map<string, Row> =>
  new Map(rows.map((row) => [row.userId, row]));

function groupByUser<Row extends { userId: string }>(rows: readonly Row[]): Map<string, Row[]> {
  const grouped = new Map<string, Row[]>();
  for (const row of rows) grouped.set(row.userId, [...(grouped.get(row.userId) ?? []), row]);
  return grouped;
}
