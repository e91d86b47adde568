/** Seeds that once failed: `--regressions` replays them first. A plan that is drawn in another way makes them other runs. */

export const REGRESSIONS: readonly number[] = [
  // A push answered twice: the refusal went with the lost answer, and the second called the change a duplicate.
  310,
  // A new device joined with a turn of a deleted interaction: the deletion stayed behind, and the turn had nothing to hang on.
  1_141,
];
