/** Who a learner is to this server and what they may, as they see it themselves. */
import type { AccountView } from '@parley/contract';
import {
  ALLOWANCES,
  graceEndOf,
  isKnownTimeZone,
  minutesPeriodOf,
  nextLocalDay,
  type PlanType,
  planOf,
} from '@parley/domain';
import { eq } from 'drizzle-orm';
import type { Database } from '../db/client.ts';
import { accountDeletions, devices, tables } from '../db/tables.ts';
import { failure } from '../failure.ts';
import type { Access } from './access.ts';
import type { SignedInDevice } from './account.ts';
import { readUser } from './account-rows.ts';
import { type HeldPlan, readHeldPlan } from './held-plan.ts';
import { type AccessStanding, readStanding } from './waiting.ts';

/** What metering says is left of an allowance, in seconds. */
export type ReadLeft = (
  userId: string,
  plan: { plan: PlanType; periodStart: Date | null },
  timeZone: string,
) => Promise<{ liveS: number; callsS: number }>;

export interface AccountViews {
  /** With the time zone that the device says, which is noted; else the one that it said last. */
  ofDevice: (device: SignedInDevice, timeZone?: string) => Promise<AccountView>;
  of: (userId: string, timeZone: string) => Promise<AccountView>;
}

export interface AccountViewParts {
  db: Database;
  now: () => Date;
  access: Access;
  /** Null: this server counts nothing. */
  readLeft: ReadLeft | null;
}

const NO_ZONE = 'UTC';
const NOTHING_ASKED: AccessStanding = { waitingSince: null, taken: null };

export function createAccountViews({ db, now, access, readLeft }: AccountViewParts): AccountViews {
  async function of(userId: string, timeZone: string): Promise<AccountView> {
    const user = await readUser(db, userId);
    if (user === null) throw failure('auth.required');
    const held = await readHeldPlan(db, userId);
    const [deletion] = await db.select().from(accountDeletions).where(eq(accountDeletions.userId, userId));
    const hasAccess = access.isEntitled(user);
    const { waitingSince, taken } = hasAccess ? NOTHING_ASKED : await readStanding(db, userId);
    const plan = planOf(held?.row ?? null, now());
    const { startsAt = null, endsAt = null } = held === null ? {} : minutesPeriodOf(held.row, now());
    return {
      email: user.email,
      mustBeGranted: access.mustBeGranted,
      hasAccess,
      waitingSince: iso(waitingSince),
      accessTaken: taken === null ? null : { ...taken, at: taken.at.toISOString() },
      isAdmin: user.isAdmin,
      plan,
      ...(await minutes(userId, { plan, periodStart: startsAt, periodEnd: endsAt, timeZone })),
      subscription:
        held === null
          ? null
          : {
              status: held.status,
              priceId: held.row.priceId,
              currentPeriodEnd: iso(held.currentPeriodEnd),
              endsAt: iso(held.endsAt),
              endsWithAccount: held.endsWithAccount,
              isPeriodUnpaid: held.isPeriodUnpaid,
              next: await readNext(held),
              graceUntil: iso(graceEndOf(held.row)),
            },
      // Also one that is over and put away: a trial is once an account.
      mayTry: held === null && (await db.$count(tables.subscriptions, eq(tables.subscriptions.userId, userId))) === 0,
      eraseAt: deletion === undefined || deletion.leftFor !== null ? null : deletion.eraseAt.toISOString(),
    };
  }

  async function readNext({ next }: HeldPlan): Promise<NonNullable<AccountView['subscription']>['next']> {
    if (next === null) return null;
    const { prices } = tables;
    const [price] = await db
      .select({ plan: prices.type, interval: prices.pricingPlanInterval })
      .from(prices)
      .where(eq(prices.priceId, next.priceId));
    return price === undefined ? null : { ...price, at: next.at.toISOString() };
  }

  async function minutes(
    userId: string,
    at: { plan: PlanType; periodStart: Date | null; periodEnd: Date | null; timeZone: string },
  ): Promise<Pick<AccountView, 'live' | 'calls' | 'resetsAt'>> {
    if (readLeft === null) return { live: null, calls: null, resetsAt: null };
    const { liveS, realisticS, every } = ALLOWANCES[at.plan];
    const left = await readLeft(userId, at, at.timeZone);
    const resets = { local_day: nextLocalDay(now(), at.timeZone), billing_month: at.periodEnd, trial: null }[every];
    return {
      live: { allowedS: liveS, leftS: left.liveS },
      calls: { allowedS: realisticS, leftS: left.callsS },
      resetsAt: iso(resets),
    };
  }

  return {
    of,
    async ofDevice({ userId, deviceId }, said) {
      if (said !== undefined && !isKnownTimeZone(said)) throw failure('request.invalid', { field: 'timeZone' });
      const [device] = await db
        .select({ timeZone: devices.timeZone })
        .from(devices)
        .where(eq(devices.deviceId, deviceId));
      if (said !== undefined && device?.timeZone !== said)
        await db.update(devices).set({ timeZone: said }).where(eq(devices.deviceId, deviceId));
      return of(userId, said ?? device?.timeZone ?? NO_ZONE);
    },
  };
}

const iso = (at: Date | null): string | null => at?.toISOString() ?? null;
