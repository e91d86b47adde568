/** A learner has one coach at a time: of two devices that changed the coach while apart, the later choice stays open. */
import { latest, nextHybridTime } from '@parley/domain';
import { SERVER_ID } from '../account/index.ts';
import type { Batch } from './batch.ts';
import { stampOf, type Write } from './plan.ts';
import type { Values } from './read-change.ts';
import { readClocks } from './stored-row.ts';

const KEY = 'coachAssignmentHistory';

const startOf = (row: Values): number => (row['assignmentStartDate'] as Date).getTime();

/** Each open assignment but the last ends where the next one starts. All of the learner's open ones are in the batch. */
export function closeAssignments(batch: Batch, write: Write): void {
  const open = [...batch.rows(KEY)]
    .filter((row) => row['userId'] === write.userId && row['assignmentEndDate'] === null && row['deletedAt'] === null)
    .toSorted((a, b) => startOf(a) - startOf(b) || (String(a['assignmentId']) < String(b['assignmentId']) ? -1 : 1));
  for (const [index, row] of open.entries()) {
    const next = open[index + 1];
    if (next === undefined) return;
    const clocks = readClocks(row['fieldClocks']);
    const time = nextHybridTime(latest(Object.values(clocks)), { ms: write.at.getTime(), deviceId: SERVER_ID });
    batch.putByServer(KEY, String(row['assignmentId']), {
      ...row,
      assignmentEndDate: next['assignmentStartDate'],
      fieldClocks: { ...clocks, assignmentEndDate: time },
      ...stampOf(write),
    });
  }
}
