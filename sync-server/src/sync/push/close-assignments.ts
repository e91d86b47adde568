/** Ends overlapping coach assignments: when two devices chose a coach while offline, the later choice stays open. */
import { latestTime, nextHybridTime } from '@parley/domain';
import { SERVER_DEVICE_ID } from '../../account/index.ts';
import type { Batch } from './batch.ts';
import { writeStamp, type WriteContext } from './row-plan.ts';
import type { Values } from './parse-change.ts';
import { parseClocks } from '../rows/readable-row.ts';

const KEY = 'coachAssignmentHistory';

const startTime = (row: Values): number => (row['assignmentStartDate'] as Date).getTime();

/** Each open assignment except the last ends where the next one starts. The batch must contain all open assignments of the learner. */
export function closeAssignments(batch: Batch, write: WriteContext): void {
  const open = [...batch.rows(KEY)]
    .filter((row) => row['userId'] === write.userId && row['assignmentEndDate'] === null && row['deletedAt'] === null)
    .toSorted(
      (a, b) => startTime(a) - startTime(b) || (String(a['assignmentId']) < String(b['assignmentId']) ? -1 : 1),
    );
  for (const [index, row] of open.entries()) {
    const next = open[index + 1];
    if (next === undefined) return;
    const clocks = parseClocks(row['fieldClocks']);
    const time = nextHybridTime(latestTime(Object.values(clocks)), {
      ms: write.at.getTime(),
      deviceId: SERVER_DEVICE_ID,
    });
    batch.putByServer(KEY, String(row['assignmentId']), {
      ...row,
      assignmentEndDate: next['assignmentStartDate'],
      fieldClocks: { ...clocks, assignmentEndDate: time },
      ...writeStamp(write),
    });
  }
}
