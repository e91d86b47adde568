/** `npm run bench`: start, scorer and history, each beside its limit or its peer, measured in the same run. */
import { measureHistory } from './measure/history.ts';
import { measureRealTimeFactor } from './measure/real-time-factor.ts';
import { measureSecondStart } from './measure/second-start.ts';
import { formatFigure } from './prove/promise.ts';
import { formatTable } from './prove/table.ts';

const START_LIMIT_MS = 3_000;
const SPEECH_ITSELF = 1;
const SESSIONS = 5_000;

const startMs = await measureSecondStart();
const factor = await measureRealTimeFactor();
const history = await measureHistory(SESSIONS);
const row = (what: string, value: number, unit: string, peer: string, peerValue: number): string[] => [
  what,
  `${formatFigure(value)} ${unit}`.trim(),
  `${peer}: ${formatFigure(peerValue)} ${unit}`.trim(),
  `${formatFigure(value / peerValue)}x`,
];

console.log(
  formatTable(
    ['measured', 'figure', 'peer or limit', 'ratio'],
    [
      row('second start, command to first screen', startMs, 'ms', 'limit', START_LIMIT_MS),
      row('scorer on one core, work a second of speech', factor, 's', 'the speech itself', SPEECH_ITSELF),
      row(`history of ${SESSIONS} sessions, open`, history.openMs, 'ms', 'a scan in SQL', history.scanMs),
      row(`history of ${SESSIONS} sessions, search`, history.searchMs, 'ms', 'a scan in SQL', history.scanMs),
    ],
  ),
);
