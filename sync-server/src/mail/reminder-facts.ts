/** What reminders depend on, read for many learners with a few statements: never one a learner. */
import {
  ALLOWANCES,
  isKnownTimeZone,
  localDays,
  minutesPeriodOf,
  planOf,
  REMINDER_KINDS,
  type ReminderFacts,
  type ReminderKind,
  type WrittenReminder,
} from '@parley/domain';
import type { Database } from '../db/client.ts';
import { accessMailMissedAt } from './access-mail.ts';
import {
  readDevices,
  readMails,
  readPlans,
  readSignIns,
  readUseByDay,
  readUseSince,
  readUsers,
  type Whom,
} from './reminder-rows.ts';

export interface LearnerToRemind {
  userId: string;
  email: string;
  firstName: string | null;
  facts: ReminderFacts;
}

export interface FactsParts {
  now: Date;
  /** Of whoever never used a device, so that nobody knows where they are. */
  fallbackTimeZone: string;
  /** A mail that is asked about and must not stand in its own way. */
  exceptMailId?: string;
  /** Whether a mail that still waits counts as sent. */
  countsWaiting: boolean;
}

export async function readLearnersToRemind(db: Database, whom: Whom, parts: FactsParts): Promise<LearnerToRemind[]> {
  const rows = await readUsers(db, whom);
  const ids = rows.map(({ userId }) => userId);
  if (ids.length === 0) return [];
  const seen = byUser(await readDevices(db, ids));
  const signedIn = byUser(await readSignIns(db, ids));
  const mailsOf = groupByUser(await readMails(db, ids));
  const plans = byUser(await readPlans(db, ids));
  const usedByDay = groupByUser(await readUseByDay(db, ids, parts.now));
  const usedOfPeriod = byUser(await readUseSince(db, periodsOfPlus([...plans.values()], parts.now)));

  return rows.flatMap((user): LearnerToRemind[] => {
    const { userId, email, firstName, accessDate, emailNotifications, hasPractised } = user;
    if (email === null || accessDate === null) return [];
    const device = seen.get(userId);
    const said = device?.timeZone ?? null;
    const timeZone = said !== null && isKnownTimeZone(said) ? said : parts.fallbackTimeZone;
    const subscription = plans.get(userId) ?? null;
    const plan = planOf(subscription, parts.now);
    const since = subscription?.endedAt ?? subscription?.currentPeriodEnd ?? null;
    const freeSince = since === null ? '' : localDays(timeZone)(since);
    const ofLearner = (mailsOf.get(userId) ?? []).filter(({ id }) => id !== parts.exceptMailId);
    const facts: ReminderFacts = {
      accessGrantedAt: accessDate,
      accessMailMissedAt: accessMailMissedAt(ofLearner, parts.now),
      signedInAt: signedInSince(accessDate, {
        first: signedIn.get(userId)?.at ?? null,
        last: user.lastLoginAt,
        seen: device?.lastSeenAt ?? null,
      }),
      hasPractised,
      limitDays:
        plan === 'FREE' ? (usedByDay.get(userId) ?? []).flatMap(({ day }) => (day > freeSince ? [day] : [])) : [],
      // Above PRO there is nothing.
      paidShareUsed: plan === 'PLUS' ? Number(usedOfPeriod.get(userId)?.seconds ?? 0) / ALLOWANCES.PLUS.liveS : null,
      emailNotifications,
      timeZone,
      written: ofLearner.flatMap(({ kind, step, state, createdAt, sentAt, nextTryAt }): WrittenReminder[] => {
        if (!isReminderKind(kind) || (state === 'waiting' && !parts.countsWaiting)) return [];
        const isWaiting = state === 'waiting' || state === 'dropped';
        return [{ kind, step, at: isWaiting ? createdAt : (sentAt ?? nextTryAt), wasDropped: state === 'dropped' }];
      }),
    };
    return [{ userId, email, firstName, facts }];
  });
}

export const isReminderKind = (kind: string): kind is ReminderKind => REMINDER_KINDS.some((each) => each === kind);

/** Whoever was signed in already when access was given needs no link: their device shows it by itself. */
function signedInSince(
  accessDate: Date,
  at: { first: Date | null; last: Date | null; seen: Date | null },
): Date | null {
  const times = [at.first, at.last].filter((time) => time !== null && time >= accessDate);
  return times[0] ?? (at.seen !== null && at.seen >= accessDate ? accessDate : null);
}

/** Paid by the year, the minutes are a month's all the same. */
const periodsOfPlus = (plans: Awaited<ReturnType<typeof readPlans>>, now: Date): { userId: string; since: Date }[] =>
  plans.flatMap((plan) => {
    const { startsAt } = minutesPeriodOf(plan, now);
    return planOf(plan, now) !== 'PLUS' || startsAt === null ? [] : [{ userId: plan.userId, since: startsAt }];
  });

const byUser = <Row extends { userId: string }>(rows: readonly Row[]): Map<string, Row> =>
  new Map(rows.map((row) => [row.userId, row]));

function groupByUser<Row extends { userId: string }>(rows: readonly Row[]): Map<string, Row[]> {
  const grouped = new Map<string, Row[]>();
  for (const row of rows) grouped.set(row.userId, [...(grouped.get(row.userId) ?? []), row]);
  return grouped;
}
