/** Simulates a year of many accounts on the real server with one clock, and compares it with independent oracles. */
import type { DatabaseConnection } from '../../../sync-server/src/db/client.ts';
import { createSchedule } from './schedule.ts';
import { createRandom } from './random.ts';
import { createFindings, type YearCounts } from './oracle/findings.ts';
import { checkDay } from './oracle/check-day.ts';

import { createAccountScript } from './account-script.ts';
import { answerAsMailServer, recordDelivery } from './mail-delivery.ts';
import { requireMailsFor } from './actions/payment-actions.ts';
import { planAccountDay } from './plan-account-day.ts';
import type { ObservedMail } from './oracle/mail-oracle.ts';
import { planServerDay, reconcileAtNight } from './plan-server-day.ts';
import { openYearFixture } from './fixture.ts';
import { DAY_MS } from './wall-clock.ts';
import type { SimulatedYear } from './simulated-year.ts';

export interface YearOptions {
  /** The same seed gives the same year. */
  seed: number;
  accounts: number;
  days: number;
  /** Must be empty. It stays open afterwards. */
  database: DatabaseConnection;
  onDay?: (day: number, violations: number) => void;
}

export interface YearReport extends YearCounts {
  violations: number;
  /** The first broken rules as text. */
  violationMessages: readonly string[];
}

/** Before the clock changes in both hemispheres. */
const STARTS_AT = new Date('2027-01-04T00:00:00.000Z');

export async function simulateYear({ seed, accounts, days, database, onDay }: YearOptions): Promise<YearReport> {
  const chance = createRandom(seed);
  const findings = createFindings(() => year.fixture.stripeFake.now());
  const scripts = Array.from({ length: accounts }, (_none, index) =>
    createAccountScript(index + 1, chance.fork(), days),
  );
  const fixture = await openYearFixture({
    database,
    startsAt: STARTS_AT,
    random: chance.next,
    answer: (mail: ObservedMail) => answerAsMailServer(year, mail),
    onDelivered: (mail, outcome) => recordDelivery(year, mail, outcome),
    onEventHandled: (event, atMs) => requireMailsFor(scripts, event, atMs),
    onFailure: (error) => findings.expect(false, null, () => `failed: ${String(error)}`),
  });
  const scriptByEmail = new Map(scripts.map((script) => [script.email, script]));
  const schedule = createSchedule();
  const year: SimulatedYear = {
    fixture,
    schedule,
    random: chance,
    findings,
    accounts: scripts,
    accountByEmail: scriptByEmail,
    isMailDown: false,
  };
  try {
    for (let day = 0; day < days; day += 1) {
      const dayMs = STARTS_AT.getTime() + day * DAY_MS;
      planServerDay(year, dayMs);
      for (const script of scripts) planAccountDay(year, script, { day, dayMs });
      await runUntil(year, dayMs + DAY_MS);
      await reconcileAtNight(year);
      await checkDay(year, day);
      onDay?.(day, findings.violations());
    }
  } finally {
    await fixture.close();
  }
  const { counts, violationMessages, violations } = findings;
  const minutes = Math.round(scripts.reduce((sum, script) => sum + script.usage.totalS, 0) / 60);
  return { ...counts, minutes, webhooks: fixture.countWebhooks(), violations: violations(), violationMessages };
}

async function runUntil({ fixture, schedule, findings }: SimulatedYear, endMs: number): Promise<void> {
  for (let next = schedule.takeBefore(endMs); next !== null; next = schedule.takeBefore(endMs)) {
    await fixture.stripeFake.advanceTo(new Date(next.atMs));
    await next.act().catch((error: unknown) => {
      const trace = error instanceof Error ? (error.stack ?? error.message) : String(error);
      findings.expect(false, null, () => `an action failed: ${trace.split('\n').slice(0, 4).join(' ')}`);
    });
  }
  await fixture.stripeFake.advanceTo(new Date(endMs));
}
