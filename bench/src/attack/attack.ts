/** Defines an attack: its result before the hardening, its result now and its target. */
import type { ServerKind, Target } from './target.ts';

export interface AttackFigures {
  /** Peak resident memory that the attack added, MiB. */
  addedMb: number;
  /** p99 latency of an honest client during the attack, ms. */
  honestP99Ms: number;
  /** Honest requests that failed. */
  honestFailures: number;
}

export interface Attack {
  name: string;
  /** The result before the hardening, from the original report. */
  before: string;
  target: string;
  /** The databases on which the attack runs. */
  on: readonly ServerKind[];
  /** Environment variables of the server besides its database. */
  environment?: Record<string, string>;
  /** Starts the external services that the server calls, before the server starts. */
  startServices?: () => Promise<Services>;
  run: (target: Target) => Promise<AttackOutcome>;
}

export interface AttackOutcome {
  after: string;
  holds: boolean;
}

export interface Services {
  environment: Record<string, string>;
  close: () => Promise<void>;
}

/** An attack that starts its own target processes. */
export interface StandaloneAttack extends Pick<Attack, 'name' | 'before' | 'target'> {
  run: () => Promise<AttackOutcome>;
}

export const MAX_ADDED_MB = 100;
export const MAX_HONEST_P99_MS = 200;

export const MEMORY_TARGET = `< ${MAX_ADDED_MB} MiB more, honest p99 < ${MAX_HONEST_P99_MS} ms`;

export const describeFigures = ({ addedMb, honestP99Ms, honestFailures }: AttackFigures): string =>
  `${addedMb.toFixed(0)} MiB more, honest p99 ${honestP99Ms.toFixed(0)} ms${honestFailures === 0 ? '' : `, ${honestFailures} honest requests failed`}`;

export const meetsMemoryTarget = ({ addedMb, honestP99Ms, honestFailures }: AttackFigures): boolean =>
  addedMb < MAX_ADDED_MB && honestP99Ms < MAX_HONEST_P99_MS && honestFailures === 0;
