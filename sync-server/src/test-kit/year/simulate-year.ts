/** A year of many accounts on the real parts of the server, with one clock, judged by books that are kept beside it. */
import type { DatabaseConnection } from '../../db/client.ts';
import { createAgenda } from './agenda.ts';
import { createChance } from './chance.ts';
import { createFindings, type YearCounts } from './findings.ts';
import { judgeDay } from './judge-day.ts';

import { createLife } from './life.ts';
import { answerMail, wasHandedOver } from './mailbox.ts';
import { noteTaken } from './money-acts.ts';
import { planDay } from './plan-day.ts';
import type { Handed } from './post-office.ts';
import { planServerDay, reconcileAtNight } from './server-day.ts';
import { openStage } from './stage.ts';
import { DAY_MS } from './wall-clock.ts';
import type { Year } from './year.ts';

export interface YearOptions {
  /** The same seed is the same year. */
  seed: number;
  accounts: number;
  days: number;
  /** Empty; it stays open. */
  database: DatabaseConnection;
  onDay?: (day: number, violations: number) => void;
}

export interface YearReport extends YearCounts {
  violations: number;
  /** The first of them, in words. */
  broken: readonly string[];
}

/** Before the clocks are changed, in the north and in the south. */
const STARTS_AT = new Date('2027-01-04T00:00:00.000Z');

export async function simulateYear({ seed, accounts, days, database, onDay }: YearOptions): Promise<YearReport> {
  const chance = createChance(seed);
  const findings = createFindings(() => year.stage.twin.now());
  const lives = Array.from({ length: accounts }, (_none, index) => createLife(index + 1, chance.branch(), days));
  const stage = await openStage({
    database,
    startsAt: STARTS_AT,
    chance: chance.next,
    answer: (mail: Handed) => answerMail(year, mail),
    wasHandedOver: (mail, outcome) => wasHandedOver(year, mail, outcome),
    onTaken: (event, atMs) => noteTaken(lives, event, atMs),
    onFailure: (error) => findings.expect(false, null, () => `failed: ${String(error)}`),
  });
  const lifeByEmail = new Map(lives.map((life) => [life.email, life]));
  const agenda = createAgenda();
  const year: Year = { stage, agenda, chance, findings, lives, lifeByEmail, isMailAway: false };
  try {
    for (let day = 0; day < days; day += 1) {
      const dayMs = STARTS_AT.getTime() + day * DAY_MS;
      planServerDay(year, dayMs);
      for (const life of lives) planDay(year, life, { day, dayMs });
      await liveUntil(year, dayMs + DAY_MS);
      await reconcileAtNight(year);
      await judgeDay(year, day);
      onDay?.(day, findings.violations());
    }
  } finally {
    await stage.close();
  }
  const { counts, broken, violations } = findings;
  const minutes = Math.round(lives.reduce((sum, life) => sum + life.minutes.totalS, 0) / 60);
  return { ...counts, minutes, webhooks: stage.webhooks(), violations: violations(), broken };
}

async function liveUntil({ stage, agenda, findings }: Year, endMs: number): Promise<void> {
  for (let next = agenda.takeBefore(endMs); next !== null; next = agenda.takeBefore(endMs)) {
    await stage.twin.advanceTo(new Date(next.atMs));
    await next.act().catch((error: unknown) => {
      const trace = error instanceof Error ? (error.stack ?? error.message) : String(error);
      findings.expect(false, null, () => `an act failed: ${trace.split('\n').slice(0, 4).join(' ')}`);
    });
  }
  await stage.twin.advanceTo(new Date(endMs));
}
