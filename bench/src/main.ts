/** `npm run bench`: measures start-up, scorer and history, each beside its limit or a peer from the same run. */
import { measureHistory } from './measure/history-queries.ts';
import { measureRealTimeFactor } from './measure/real-time-factor.ts';
import { measureWarmStart } from './measure/warm-start.ts';
import { formatFigure } from './prove/promise.ts';
import { formatTable } from './report/format-table.ts';

const START_LIMIT_MS = 3_000;
const REAL_TIME_FACTOR_LIMIT = 1;
const SESSIONS = 5_000;

const startMs = await measureWarmStart();
const factor = await measureRealTimeFactor();
const history = await measureHistory(SESSIONS);
const toRow = (what: string, value: number, unit: string, peer: string, peerValue: number): string[] => [
  what,
  `${formatFigure(value)} ${unit}`.trim(),
  `${peer}: ${formatFigure(peerValue)} ${unit}`.trim(),
  `${formatFigure(value / peerValue)}x`,
];

console.log(
  formatTable(
    ['measured', 'figure', 'peer or limit', 'ratio'],
    [
      toRow('second start, command to first screen', startMs, 'ms', 'limit', START_LIMIT_MS),
      toRow('scorer on one core, work a second of speech', factor, 's', 'the speech itself', REAL_TIME_FACTOR_LIMIT),
      toRow(`history of ${SESSIONS} sessions, open`, history.openMs, 'ms', 'a scan in SQL', history.scanMs),
      toRow(`history of ${SESSIONS} sessions, search`, history.searchMs, 'ms', 'a scan in SQL', history.scanMs),
    ],
  ),
);
