/** Formats the results: one row per metric, one column per contestant, each with its ratio to ours. */
import { formatFigure } from '../prove/promise.ts';
import { formatTable } from '../report/format-table.ts';
import type { Contestant } from './contestant.ts';
import { CHANGE_TIMEOUT_MS, CHANGES, NEVER_SEEN_MS, type Workload } from './workload.ts';
import type { ChangeTimes } from './measure-changes.ts';
import type { RaceFigures } from './race.ts';
import { median, quantile } from '../measure/quantile.ts';

export interface Result {
  contestant: Contestant;
  runs: RaceFigures[];
  /** The error that stopped the contestant; null while it runs. */
  failure: string | null;
}

interface Metric {
  name: string;
  unit: string;
  compute: (runs: readonly RaceFigures[]) => number;
}

const MEGABYTE = 1_000_000;

const medianOf =
  (figure: (run: RaceFigures) => number) =>
  (runs: readonly RaceFigures[]): number =>
    median(runs.map(figure));

const changeQuantile =
  (time: keyof ChangeTimes, share: number) =>
  (runs: readonly RaceFigures[]): number =>
    quantile(
      runs.flatMap(({ changes }) => changes.flatMap((change) => change[time] ?? [])),
      share,
    );

const NAMES = { sessions: 'rows', spoken: 'spoken sessions' } as const;

const metricsOf = ({ pulledSessions, pushedSessions, kind }: Workload): Metric[] => [
  { name: `pull ${pulledSessions} ${NAMES[kind]}`, unit: 's', compute: medianOf(({ pull }) => pull.ms / 1000) },
  { name: '· until they can be listed', unit: 's', compute: medianOf(({ pull }) => pull.listedMs / 1000) },
  { name: '· on the wire', unit: 'MB', compute: medianOf(({ pull }) => pull.wireBytes / MEGABYTE) },
  { name: '· CPU of the device', unit: 's', compute: medianOf(({ pull }) => pull.clientCpuSeconds) },
  { name: '· CPU of the server', unit: 's', compute: medianOf(({ pull }) => pull.serverCpuSeconds) },
  { name: `push ${pushedSessions} ${NAMES[kind]}`, unit: 's', compute: medianOf(({ push }) => push.ms / 1000) },
  { name: '· on the wire', unit: 'MB', compute: medianOf(({ push }) => push.wireBytes / MEGABYTE) },
  { name: '· CPU of the device', unit: 's', compute: medianOf(({ push }) => push.clientCpuSeconds) },
  { name: '· CPU of the server', unit: 's', compute: medianOf(({ push }) => push.serverCpuSeconds) },
  { name: 'a change seen elsewhere, median', unit: 'ms', compute: changeQuantile('seenMs', 0.5) },
  { name: '· p99', unit: 'ms', compute: changeQuantile('seenMs', 0.99) },
  { name: '· on its disk, median', unit: 'ms', compute: changeQuantile('storedMs', 0.5) },
  { name: 'disk of the device', unit: 'MB', compute: medianOf((run) => run.clientDiskBytes / MEGABYTE) },
  { name: 'disk of the server', unit: 'MB', compute: medianOf((run) => run.serverDiskBytes / MEGABYTE) },
];

/** The other contestants are compared with the first. */
export function formatResults(results: readonly Result[], workload: Workload): string {
  const [ours] = results;
  const cell = ({ compute, unit }: Metric, { runs }: Result): string => {
    const value = compute(runs);
    if (Number.isNaN(value)) return '–';
    if (value === NEVER_SEEN_MS) return `not in ${CHANGE_TIMEOUT_MS / 1000} s`;
    const ratio = value / compute(ours?.runs ?? []);
    return `${formatFigure(value)} ${unit}${!Number.isFinite(ratio) || ratio === 0 ? '' : ` (${formatRatio(ratio)})`}`;
  };
  return formatTable(
    ['', ...results.map(({ contestant }) => contestant.name)],
    metricsOf(workload).map((measure) => [measure.name, ...results.map((result) => cell(measure, result))]),
  );
}

const formatRatio = (ratio: number): string => `${ratio >= 10 ? ratio.toFixed(0) : ratio.toPrecision(2)}x`;

export function formatNotes(results: readonly Result[]): string {
  return results.map((result) => `- ${formatNote(result)}`).join('\n');
}

function formatNote({ contestant, runs, failure }: Result): string {
  const changes = runs.flatMap((run) => run.changes);
  const neverSeen = changes.some(({ seenMs }) => seenMs === NEVER_SEEN_MS);
  return [
    `${contestant.name}: ${contestant.note}`,
    ...(neverSeen ? [`a change did not arrive by itself in ${CHANGE_TIMEOUT_MS / 1000} s`] : []),
    ...(!neverSeen && changes.length > 0 && changes.length < CHANGES
      ? [`${changes.length} changes of ${CHANGES} fitted into the time of the race`]
      : []),
    ...(failure === null ? [] : [`FAILED: ${failure.split('\n')[0] ?? ''}`]),
  ].join('; ');
}
