/** The size of the workloads that every contestant runs. */

/** `sessions`: the rows of sessions alone, of 1 kB each. `spoken`: sessions with all their turns, scores and attempts. */
export const WORKLOAD_KINDS = ['sessions', 'spoken'] as const;
export type WorkloadKind = (typeof WORKLOAD_KINDS)[number];

export interface Workload {
  kind: WorkloadKind;
  pulledSessions: number;
  pushedSessions: number;
}

export const WORKLOADS: Readonly<Record<WorkloadKind, Workload>> = {
  sessions: { kind: 'sessions', pulledSessions: 10_000, pushedSessions: 1_000 },
  // About two years of practice, and a week without a network.
  spoken: { kind: 'spoken', pulledSessions: 300, pushedSessions: 10 },
};

export const CHANGES = 200;
/** The time budget for changes, so that a slow contestant does not run all of them. */
export const CHANGES_BUDGET_MS = 8_000;
export const CHANGE_TIMEOUT_MS = 5_000;
/** Marks a change that was not seen within the timeout. */
export const NEVER_SEEN_MS: number = Number.POSITIVE_INFINITY;
/** Unmeasured changes that warm up connections and code. */
export const WARM_UP_CHANGES = 3;
