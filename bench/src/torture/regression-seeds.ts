/** Lists seeds that once failed, which `--regressions` replays first. A change of the drawing code turns them into other runs. */

export const REGRESSIONS: readonly number[] = [
  // A clock was behind when a word was practised: the server kept the newer practice but confirmed the row of the device.
  442,
  // A creation was refused but its deletion applied: the device kept a tombstone that the server lacked.
  1_002,
  // A restore merged unsent and confirmed words into a list that exceeded the limit.
  1_011,
  // An old app deleted a turn in the same push that first sent it, on PostgreSQL: the conversation, which is applied last, brought it back.
  9_400_130,
  // A creation took long to arrive, and the later edit, which was read from the damaged database, counted as older.
  6_210,
  // A course was left and joined again before a restored server had its enrolment back: the device kept another creation time than it sent.
  9_700_314,
];
