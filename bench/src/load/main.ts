/**
 * `npm run bench:server`: loads one and then two server processes on PostgreSQL with thousands of devices. It measures how many pushes
 * and pulls per second stay within 100 ms (p99), beside the database alone; the memory of each node; and how both change with the
 * number of rows, learners and nodes. The load, the servers and the database share the cores of the machine.
 */
import { readFileSync } from 'node:fs';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import pg from 'pg';
import { formatFigure } from '../prove/promise.ts';
import { formatTable } from '../report/format-table.ts';
import { type ParleyServer, startParleyServer } from '../processes/start-parley-server.ts';
import { startPostgres } from '../processes/start-postgres.ts';
import { readArguments, USAGE } from './arguments.ts';
import { measureDatabaseBaseline } from './database-baseline.ts';
import { openPokeListeners } from './poke-listeners.ts';
import { findHighestRate, type Load, measureLoad } from './measure-load.ts';
import { cloneLearners, createFirstLearner, type LoadDevice } from './seed-learners.ts';

const LIMIT = { p99Ms: 100 };
/** How long a node rests before its memory is measured. */
const IDLE_MS = 10_000;
const WARM_UP = { perSecond: 25, seconds: 3 };

const options = ((): ReturnType<typeof readArguments> => {
  try {
    return readArguments(process.argv.slice(2));
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    console.error(USAGE);
    process.exit(2);
  }
})();

const dir = await mkdtemp(join(tmpdir(), 'parley-load-'));
await chmod(dir, 0o755);
const postgres = await startPostgres(dir);
const sql = new pg.Client({ connectionString: postgres.url });
const nodes: ParleyServer[] = [];
const startNode = async (): Promise<ParleyServer> => {
  const node = await startParleyServer({ DATABASE_URL: postgres.url });
  nodes.push(node);
  return node;
};
const urlOf = ({ port }: ParleyServer): string => `http://127.0.0.1:${port}`;
const log = (what: string): void => console.error(`  ${what}`);

/** Resident memory from /proc; NaN on systems without it. */
function residentMb({ pid }: ParleyServer): number {
  try {
    return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024;
  } catch {
    return Number.NaN;
  }
}

interface Scenario {
  name: string;
  devices: readonly LoadDevice[];
  at: readonly ParleyServer[];
}

async function measure({ name, devices, at }: Scenario): Promise<string[]> {
  log(name);
  const load: Omit<Load, 'kind' | 'perSecond'> = { urls: at.map(urlOf), devices, seconds: options.seconds };
  await measureLoad({ ...load, ...WARM_UP, kind: 'push' });
  const push = await findHighestRate({ ...load, kind: 'push' }, LIMIT);
  await measureLoad({ ...load, ...WARM_UP, kind: 'pull' });
  const pull = await findHighestRate({ ...load, kind: 'pull' }, LIMIT);
  const cells = (best: typeof push): string[] =>
    best === null
      ? ['below 25', '-', '-']
      : [`${best.perSecond}`, formatFigure(best.figures.p50Ms), formatFigure(best.figures.p99Ms)];
  const memory = at.map(residentMb);
  return [name, ...cells(push), ...cells(pull), memory.map((mb) => mb.toFixed(0)).join(' + ')];
}

try {
  const first = await startNode();
  await sql.connect();
  const firstDevice = await createFirstLearner(urlOf(first), sql);
  const rows: string[][] = [];
  log('filling the database');
  const hundredLearners = await cloneLearners(sql, firstDevice, { count: 100, rowsEach: 100 });
  rows.push(await measure({ name: '100 learners with 100 sessions', devices: hundredLearners, at: [first] }));
  const baseline = await measureDatabaseBaseline(postgres.url, hundredLearners, options.seconds);
  const busyLearners = await cloneLearners(sql, firstDevice, { count: 10, rowsEach: 10_000 });
  rows.push(await measure({ name: '10 learners with 10,000 sessions', devices: busyLearners, at: [first] }));
  const manyLearners = await cloneLearners(sql, firstDevice, { count: options.learners, rowsEach: 20 });
  rows.push(
    await measure({ name: `${options.learners} learners with 20 sessions`, devices: manyLearners, at: [first] }),
  );

  // A node of its own, whose memory holds nothing of the load before.
  log('opening poke connections');
  const second = await startNode();
  const startedMb = residentMb(second);
  const listeners = await openPokeListeners(urlOf(second), manyLearners);
  await wait(IDLE_MS);
  const listeningMb = residentMb(second);
  rows.push(
    await measure({ name: `the same, ${manyLearners.length} poke connections`, devices: manyLearners, at: [second] }),
  );
  listeners.close();
  rows.push(await measure({ name: 'the same, two nodes', devices: manyLearners, at: [first, second] }));

  console.log(
    formatTable(
      [
        '',
        'pushes per second',
        'p50, ms',
        'p99, ms',
        'pulls per second',
        'p50, ms',
        'p99, ms',
        'memory of each node, MiB',
      ],
      rows,
    ),
  );
  const pushes = Number(rows[0]?.[1]);
  console.log(
    `\nThe database alone, with the same lock, row and commit: ${formatFigure(baseline)} per second; pushes through the server reach ${formatFigure(pushes / baseline)}x of that.`,
  );
  console.log(
    `A node with ${manyLearners.length} devices that listen takes ${listeningMb.toFixed(0)} MiB at rest, ${startedMb.toFixed(0)} before they came.`,
  );
  console.log(
    `Highest rate tried with p99 within ${LIMIT.p99Ms} ms; all processes share ${availableParallelism()} cores.`,
  );
} finally {
  await Promise.all(nodes.map((node) => node.stop()));
  await sql.end().catch(() => undefined);
  await postgres.stop();
  await rm(dir, { recursive: true, force: true });
}
process.exit(0);
