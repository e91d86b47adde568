/** Seeds that once failed: `--regressions` replays them first. A plan that is drawn in another way makes them other runs. */

export const REGRESSIONS: readonly number[] = [
  // A word was practised by a clock that was behind: the server kept the newer practice, and answered that the device's row was its own.
  442,
  // A creation was refused and its deletion, which had nothing to delete, applied: the device kept a tombstone that the server lacks.
  1_002,
  // A restore brought unsent words along with what the server had confirmed: together they were too many.
  1_011,
];
