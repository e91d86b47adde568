/** An attack on a real server: what it did before the server was hardened, what it does now, and what it may do. */
import type { ServerKind, Target } from './target.ts';

export interface AttackFigures {
  /** Resident memory that the attack added at its highest, MiB. */
  addedMb: number;
  /** Of an honest caller's requests during the attack: 99 of 100 were answered within this, ms. */
  honestP99Ms: number;
  /** Honest requests that were not answered with success. */
  honestFailures: number;
}

export interface Attack {
  name: string;
  /** As the report of the attack gave it, before anything was done about it. */
  before: string;
  target: string;
  /** Where it is tried. */
  on: readonly ServerKind[];
  /** What the server is told beside where its database is. */
  environment?: Record<string, string>;
  /** What the server calls: started before it. */
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

/** An attack that starts the processes which it attacks by itself. */
export interface OwnAttack extends Pick<Attack, 'name' | 'before' | 'target'> {
  run: () => Promise<AttackOutcome>;
}

export const MAX_ADDED_MB = 100;
export const MAX_HONEST_P99_MS = 200;

export const MEMORY_TARGET = `< ${MAX_ADDED_MB} MiB more, honest p99 < ${MAX_HONEST_P99_MS} ms`;

export const describeFigures = ({ addedMb, honestP99Ms, honestFailures }: AttackFigures): string =>
  `${addedMb.toFixed(0)} MiB more, honest p99 ${honestP99Ms.toFixed(0)} ms${honestFailures === 0 ? '' : `, ${honestFailures} honest requests failed`}`;

export const keepsMemoryTarget = ({ addedMb, honestP99Ms, honestFailures }: AttackFigures): boolean =>
  addedMb < MAX_ADDED_MB && honestP99Ms < MAX_HONEST_P99_MS && honestFailures === 0;
