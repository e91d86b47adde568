/** Seeds that once failed: `--regressions` replays them first. A plan that is drawn in another way makes them other runs. */

export const REGRESSIONS: readonly number[] = [
  // A push answered twice: the refusal went with the lost answer, and the second called the change a duplicate.
  310,
  // A new device joined with a turn of a deleted interaction: the deletion stayed behind, and the turn had nothing to hang on.
  1_141,
  // An answer's row referred to one that a restored device did not have any more: no push ever ended again.
  20_038,
  // A restored device forgot how late its clock had been, and its next edit was older than its last.
  20_089,
  // A change that was answered after the backup was sent again from it, and by its fast clock won over a newer one.
  30_164,
  // An edit on top of a row that was not restored took over the words that had been read out of the damaged database.
  40_116,
  // A change that was answered after the backup, and had lost: its row was restored with it, and nobody asked for the row again.
  620_089,
];
