/** The race's table: a measure a row, a contestant a column, each figure with its ratio to ours in the same runs. */
import { formatFigure } from '../prove/promise.ts';
import { formatTable } from '../prove/table.ts';
import type { Contestant } from './contestant.ts';
import { CHANGE_TIMEOUT_MS, CHANGES, NEVER_SEEN_MS, PULLED_ROWS, PUSHED_ROWS } from './job.ts';
import type { ChangeTimes } from './measure-changes.ts';
import type { RaceFigures } from './race.ts';

export interface Result {
  contestant: Contestant;
  runs: RaceFigures[];
  /** Why it is out; null while it is not. */
  failure: string | null;
}

interface Measure {
  name: string;
  unit: string;
  of: (runs: readonly RaceFigures[]) => number;
}

const MEGABYTE = 1_000_000;

/** Of 0 up to 1; the nearest that was measured. */
function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? Number.NaN;
}

const median = (values: readonly number[]): number => quantile(values, 0.5);

const medianOf =
  (figure: (run: RaceFigures) => number) =>
  (runs: readonly RaceFigures[]): number =>
    median(runs.map(figure));

const changesOf =
  (time: keyof ChangeTimes, share: number) =>
  (runs: readonly RaceFigures[]): number =>
    quantile(
      runs.flatMap(({ changes }) => changes.flatMap((change) => change[time] ?? [])),
      share,
    );

const MEASURES: readonly Measure[] = [
  { name: `pull ${PULLED_ROWS} rows`, unit: 's', of: medianOf(({ pull }) => pull.ms / 1000) },
  { name: '· on the wire', unit: 'MB', of: medianOf(({ pull }) => pull.wireBytes / MEGABYTE) },
  { name: '· CPU of the device', unit: 's', of: medianOf(({ pull }) => pull.clientCpuSeconds) },
  { name: '· CPU of the server', unit: 's', of: medianOf(({ pull }) => pull.serverCpuSeconds) },
  { name: `push ${PUSHED_ROWS} rows`, unit: 's', of: medianOf(({ push }) => push.ms / 1000) },
  { name: '· on the wire', unit: 'MB', of: medianOf(({ push }) => push.wireBytes / MEGABYTE) },
  { name: '· CPU of the device', unit: 's', of: medianOf(({ push }) => push.clientCpuSeconds) },
  { name: '· CPU of the server', unit: 's', of: medianOf(({ push }) => push.serverCpuSeconds) },
  { name: 'a change seen elsewhere, median', unit: 'ms', of: changesOf('seenMs', 0.5) },
  { name: '· p99', unit: 'ms', of: changesOf('seenMs', 0.99) },
  { name: '· on its disk, median', unit: 'ms', of: changesOf('storedMs', 0.5) },
  { name: 'disk of the device', unit: 'MB', of: medianOf((run) => run.clientDiskBytes / MEGABYTE) },
  { name: 'disk of the server', unit: 'MB', of: medianOf((run) => run.serverDiskBytes / MEGABYTE) },
];

/** The first contestant is the one that the others are held against. */
export function tableOf(results: readonly Result[]): string {
  const [ours] = results;
  const cell = ({ of, unit }: Measure, { runs }: Result): string => {
    const value = of(runs);
    if (Number.isNaN(value)) return '–';
    if (value === NEVER_SEEN_MS) return `not in ${CHANGE_TIMEOUT_MS / 1000} s`;
    const ratio = value / of(ours?.runs ?? []);
    return `${formatFigure(value)} ${unit}${!Number.isFinite(ratio) || ratio === 0 ? '' : ` (${formatRatio(ratio)})`}`;
  };
  return formatTable(
    ['', ...results.map(({ contestant }) => contestant.name)],
    MEASURES.map((measure) => [measure.name, ...results.map((result) => cell(measure, result))]),
  );
}

const formatRatio = (ratio: number): string => `${ratio >= 10 ? ratio.toFixed(0) : ratio.toPrecision(2)}x`;

export function notesOf(results: readonly Result[]): string {
  return results.map((result) => `- ${noteOf(result)}`).join('\n');
}

function noteOf({ contestant, runs, failure }: Result): string {
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
