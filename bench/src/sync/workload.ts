/** The size of the workload that every contestant runs. */

export const PULLED_ROWS = 10_000;
export const PUSHED_ROWS = 1_000;
export const CHANGES = 200;
/** The time budget for changes, so that a slow contestant does not run all of them. */
export const CHANGES_BUDGET_MS = 8_000;
export const CHANGE_TIMEOUT_MS = 5_000;
/** Marks a change that was not seen within the timeout. */
export const NEVER_SEEN_MS: number = Number.POSITIVE_INFINITY;
/** Unmeasured changes that warm up connections and code. */
export const WARM_UP_CHANGES = 3;
