/** The job that every contestant does, in numbers. */

export const PULLED_ROWS = 10_000;
export const PUSHED_ROWS = 1_000;
export const CHANGES = 200;
/** A contestant whose changes take seconds is not waited for two hundred times. */
export const CHANGES_BUDGET_MS = 8_000;
export const CHANGE_TIMEOUT_MS = 5_000;
/** Stands for a change that was not seen in that time. */
export const NEVER_SEEN_MS: number = Number.POSITIVE_INFINITY;
/** Made before the measured ones, so that connections and code are warm. */
export const WARM_CHANGES = 3;
