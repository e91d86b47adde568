/**
 * Reads what an admin sees of a learner: account, plan, devices, mail and numbers. It never reads what the learner
 * said.
 */
import type { LearnerDetail } from '@parley/contract';
import { effectivePlan, gracePeriodEnd, willRenew } from '@parley/domain';
import { and, desc, eq, inArray, isNull, or } from 'drizzle-orm';
import { listWipes, readCurrentSubscription, readWaitingSince } from '../account/index.ts';
import { DomainError } from '../domain-error.ts';
import type { Database } from '../db/client.ts';
import { mails } from '../db/mail-tables.ts';
import { accountDeletions, devices, tables } from '../db/tables.ts';
import { mailColumns, toMailRow } from './mail-log.ts';
import { readPracticeTotals, readWeeks } from './practice-numbers.ts';
import { readSchoolSettings } from './settings.ts';

const WEEKS = 8;
const MAILS = 20;

export async function readLearnerDetail(
  db: Database,
  { userId, now }: { userId: string; now: Date },
): Promise<LearnerDetail> {
  const { users, industry } = tables;
  const { timeZone } = await readSchoolSettings(db);
  const [[found], plan, [deletion], waiting, theirDevices, wipes, theirMails, totals, weeks] = await Promise.all([
    db
      .select({ user: users, industry: industry.name })
      .from(users)
      .leftJoin(industry, eq(industry.id, users.industry))
      .where(eq(users.userId, userId)),
    readPlan(db, { userId, now }),
    db
      .select()
      .from(accountDeletions)
      .where(and(eq(accountDeletions.userId, userId), isNull(accountDeletions.leftFor))),
    readWaitingSince(db, [userId]),
    db
      .select()
      .from(devices)
      .where(and(eq(devices.userId, userId), isNull(devices.revokedAt)))
      .orderBy(desc(devices.lastSeenAt)),
    listWipes(db, { userId, now }),
    readMails(db, userId),
    readPracticeTotals(db, userId),
    readWeeks(db, { weeks: WEEKS, timeZone, now, userId }),
  ]);
  if (found === undefined) throw new DomainError('request.invalid', { field: 'userId' });
  const { email, firstName, lastName, jobTitle, englishLevel, isAdmin, hasAccess, emailNotifications } = found.user;
  return {
    userId,
    email,
    firstName,
    lastName,
    jobTitle,
    industry: found.industry,
    englishLevel,
    isAdmin,
    hasAccess,
    emailNotifications,
    accessDate: toIsoString(found.user.accessDate),
    waitingSince: hasAccess ? null : toIsoString(waiting.get(userId) ?? null),
    createdAt: found.user.createdAt.toISOString(),
    lastLoginAt: toIsoString(found.user.lastLoginAt),
    eraseAt: toIsoString(deletion?.eraseAt ?? null),
    plan,
    practice: {
      ...totals,
      weeks: weeks.map(({ start, practices, minutes, score }) => ({ start, practices, minutes, score })),
    },
    devices: theirDevices.map(({ name, platform, createdAt, lastSeenAt }) => ({
      name,
      platform,
      createdAt: createdAt.toISOString(),
      lastSeenAt: lastSeenAt.toISOString(),
    })),
    wipes,
    mails: theirMails.map(toMailRow),
  };
}

/** A sign-in code is sent to an address, whether or not it has an account. */
const readMails = (db: Database, userId: string) => {
  const { users } = tables;
  const address = db.select({ email: users.email }).from(users).where(eq(users.userId, userId));
  return db
    .select(mailColumns)
    .from(mails)
    .where(or(eq(mails.userId, userId), inArray(mails.to, address)))
    .orderBy(desc(mails.createdAt))
    .limit(MAILS);
};

async function readPlan(db: Database, { userId, now }: { userId: string; now: Date }): Promise<LearnerDetail['plan']> {
  const held = await readCurrentSubscription(db, userId);
  if (held === null) return null;
  const { row, next } = held;
  const { prices } = tables;
  const [nextPrice] =
    next === null ? [] : await db.select({ plan: prices.type }).from(prices).where(eq(prices.priceId, next.priceId));
  return {
    inEffect: effectivePlan(row, now),
    type: row.planType,
    status: row.status,
    renewsAt: willRenew(held) ? toIsoString(held.currentPeriodEnd) : null,
    endsAt: toIsoString(held.endsAt),
    canceledAt: toIsoString(row.canceledAt),
    quantity: row.quantity,
    endedAt: toIsoString(row.endedAt),
    graceUntil: toIsoString(gracePeriodEnd(row, now)),
    next: next === null || nextPrice === undefined ? null : { plan: nextPrice.plan, at: next.at.toISOString() },
  };
}

const toIsoString = (at: Date | null): string | null => at?.toISOString() ?? null;
