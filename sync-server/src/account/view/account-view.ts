/** The account as the learner sees it: access, plan, remaining time and pending deletion. */
import type { AccountView } from '@parley/contract';
import {
  allowanceIn,
  gracePeriodEnd,
  isKnownTimeZone,
  meteringPeriod,
  nextLocalDay,
  effectivePlan,
} from '@parley/domain';
import { eq } from 'drizzle-orm';
import type { Database } from '../../db/client.ts';
import { accountDeletions, devices, tables } from '../../db/tables.ts';
import { DomainError } from '../../domain-error.ts';
import type { Access } from '../access/access.ts';
import type { SignedInDevice } from '../devices/device-registry.ts';
import { DEFAULT_TIME_ZONE } from '../devices/time-zone.ts';
import { readUser } from '../account-rows.ts';
import type { PlanState } from '../plan/plan-reader.ts';
import { type CurrentSubscription, readCurrentSubscription } from '../plan/current-subscription.ts';
import { type AccessState, readAccessState } from '../access/access-requests.ts';

/** Reads the remaining seconds of an allowance from metering. */
export type ReadRemainingTime = (
  userId: string,
  plan: PlanState,
  timeZone: string,
) => Promise<{ liveS: number; callsS: number }>;

export interface ReportedByDevice {
  timeZone?: string | undefined;
  /** The language of the app, if the server supports it. */
  language?: string | null;
}

export interface AccountViewReader {
  /** Stores what the device reports; without a time zone, uses the zone it reported last. */
  forDevice: (device: SignedInDevice, reported?: ReportedByDevice) => Promise<AccountView>;
  forUser: (userId: string, timeZone: string) => Promise<AccountView>;
}

export interface AccountViewParts {
  db: Database;
  now: () => Date;
  access: Access;
  /** Null when this server does not meter usage. */
  readRemainingTime: ReadRemainingTime | null;
}

const NO_ACCESS_HISTORY: AccessState = { waitingSince: null, revocation: null };

export function createAccountViewReader({ db, now, access, readRemainingTime }: AccountViewParts): AccountViewReader {
  async function of(userId: string, timeZone: string): Promise<AccountView> {
    const user = await readUser(db, userId);
    if (user === null) throw new DomainError('auth.required');
    const held = await readCurrentSubscription(db, userId);
    const [deletion] = await db.select().from(accountDeletions).where(eq(accountDeletions.userId, userId));
    const hasAccess = access.isEntitled(user);
    const { waitingSince, revocation } = hasAccess ? NO_ACCESS_HISTORY : await readAccessState(db, userId);
    const plan = effectivePlan(held?.row ?? null, now());
    const { startsAt = null, endsAt = null } = held === null ? {} : meteringPeriod(held.row, now());
    return {
      email: user.email,
      mustBeGranted: access.mustBeGranted,
      hasAccess,
      waitingSince: toIsoString(waitingSince),
      accessTaken: revocation === null ? null : { ...revocation, at: revocation.at.toISOString() },
      isAdmin: user.isAdmin,
      plan,
      ...(await readMinutes(userId, { plan, periodStart: startsAt, periodEnd: endsAt, timeZone })),
      subscription:
        held === null
          ? null
          : {
              status: held.status,
              priceId: held.row.priceId,
              currentPeriodEnd: toIsoString(held.currentPeriodEnd),
              endsAt: toIsoString(held.endsAt),
              endsWithAccount: held.endsWithAccount,
              isPeriodUnpaid: held.isPeriodUnpaid,
              next: await readPlanChange(held),
              graceUntil: toIsoString(gracePeriodEnd(held.row, now())),
            },
      // Rows of past subscriptions count too: each account gets one trial.
      mayTry: held === null && (await db.$count(tables.subscriptions, eq(tables.subscriptions.userId, userId))) === 0,
      eraseAt: deletion === undefined || deletion.leftFor !== null ? null : deletion.eraseAt.toISOString(),
    };
  }

  async function readPlanChange({
    next,
  }: CurrentSubscription): Promise<NonNullable<AccountView['subscription']>['next']> {
    if (next === null) return null;
    const { prices } = tables;
    const [price] = await db
      .select({ plan: prices.type, interval: prices.pricingPlanInterval, count: prices.intervalCount })
      .from(prices)
      .where(eq(prices.priceId, next.priceId));
    if (price === undefined) return null;
    const { plan, interval, count } = price;
    // A quarterly price is not "billed monthly".
    return { plan, interval: (count ?? 1) === 1 ? interval : null, at: next.at.toISOString() };
  }

  async function readMinutes(
    userId: string,
    at: PlanState & { timeZone: string },
  ): Promise<Pick<AccountView, 'live' | 'calls' | 'resetsAt'>> {
    if (readRemainingTime === null) return { live: null, calls: null, resetsAt: null };
    const { liveS, realisticS, resetsEvery } = allowanceIn(at.plan, {
      startsAt: at.periodStart,
      endsAt: at.periodEnd,
    });
    const left = await readRemainingTime(userId, at, at.timeZone);
    const resets = { local_day: nextLocalDay(now(), at.timeZone), billing_month: at.periodEnd, trial: null }[
      resetsEvery
    ];
    return {
      live: { allowedS: liveS, leftS: left.liveS },
      calls: { allowedS: realisticS, leftS: left.callsS },
      resetsAt: toIsoString(resets),
    };
  }

  return {
    forUser: of,
    async forDevice({ userId, deviceId }, { timeZone: reportedTimeZone, language: reportedLanguage = null } = {}) {
      if (reportedTimeZone !== undefined && !isKnownTimeZone(reportedTimeZone))
        throw new DomainError('request.invalid', { field: 'timeZone' });
      const [device] = await db
        .select({ timeZone: devices.timeZone, language: devices.language })
        .from(devices)
        .where(eq(devices.deviceId, deviceId));
      const timeZone = reportedTimeZone ?? device?.timeZone ?? null;
      const language = reportedLanguage ?? device?.language ?? null;
      if (device !== undefined && (timeZone !== device.timeZone || language !== device.language))
        await db.update(devices).set({ timeZone, language }).where(eq(devices.deviceId, deviceId));
      return of(userId, timeZone ?? DEFAULT_TIME_ZONE);
    },
  };
}

const toIsoString = (at: Date | null): string | null => at?.toISOString() ?? null;
