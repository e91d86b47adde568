/** Collects the results of the simulated year: counts, and each broken rule as text. */
import type { AccountScript } from '../account-script.ts';

export interface YearCounts {
  mails: number;
  reminders: number;
  sessions: number;
  minutes: number;
  leases: number;
  quotaOuts: number;
  /** How often a plan's allowance was reset between two leases. */
  resets: number;
  webhooks: number;
  reconciled: number;
  /** The number of checks made. */
  looks: number;
  crashes: number;
  erased: number;
}

export interface Findings {
  counts: YearCounts;
  /** The first broken rules as text; `violations` counts all. */
  violationMessages: string[];
  violations: () => number;
  /** Checks a rule and records a violation. */
  expect: (isRight: boolean, script: AccountScript | null, what: () => string) => void;
}

const MAX_MESSAGES = 200;

export function createFindings(now: () => Date): Findings {
  const counts: YearCounts = {
    mails: 0,
    reminders: 0,
    sessions: 0,
    minutes: 0,
    leases: 0,
    quotaOuts: 0,
    resets: 0,
    webhooks: 0,
    reconciled: 0,
    looks: 0,
    crashes: 0,
    erased: 0,
  };
  const broken: string[] = [];
  let violations = 0;
  return {
    counts,
    violationMessages: broken,
    violations: () => violations,
    expect(isRight, script, what) {
      counts.looks += 1;
      if (isRight) return;
      violations += 1;
      if (broken.length < MAX_MESSAGES) broken.push(`${now().toISOString()} ${script?.name ?? 'all'}: ${what()}`);
    },
  };
}
