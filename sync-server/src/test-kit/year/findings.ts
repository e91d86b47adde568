/** What the year has shown: how much was lived and looked at, and each rule that was broken, in words. */
import type { Life } from './life.ts';

export interface YearCounts {
  mails: number;
  reminders: number;
  sessions: number;
  minutes: number;
  leases: number;
  quotaOuts: number;
  /** A plan's minutes began anew between two leases. */
  resets: number;
  webhooks: number;
  reconciled: number;
  /** Comparisons that could have failed. */
  looks: number;
  crashes: number;
  erased: number;
}

export interface Findings {
  counts: YearCounts;
  /** In words, the first of them; `violations` counts all. */
  broken: string[];
  violations: () => number;
  /** Compares, and writes down what is not as it should be. */
  expect: (isRight: boolean, life: Life | null, what: () => string) => void;
}

const KEPT = 200;

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
    broken,
    violations: () => violations,
    expect(isRight, life, what) {
      counts.looks += 1;
      if (isRight) return;
      violations += 1;
      if (broken.length < KEPT) broken.push(`${now().toISOString()} ${life?.name ?? 'all'}: ${what()}`);
    },
  };
}
