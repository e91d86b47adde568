/**
 * `npm run bench:server`: thousands of devices against one server process on PostgreSQL, and against two. How many pushes and pulls a
 * second it answers within 100 ms (99 of 100), beside what the database does alone; what it takes of memory; and how all of that
 * changes with rows a learner, learners, and nodes. Load, servers and database share the machine's cores.
 */
import { readFileSync } from 'node:fs';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { formatFigure } from '../prove/promise.ts';
import { formatTable } from '../prove/table.ts';
import { type ParleyServer, startParleyServer } from '../sync/contestants/parley/start-server.ts';
import { startPostgres } from '../sync/postgres.ts';
import { readArguments, USAGE } from './arguments.ts';
import { databaseAlone } from './database-alone.ts';
import { openListeners } from './listeners.ts';
import { highestRate, type Load, measureLoad } from './load.ts';
import { addLearners, firstLearner, type LoadDevice } from './seed.ts';

const LIMIT = { p99Ms: 100 };
const WARM_UP = { perSecond: 25, seconds: 3 };

const asked = ((): ReturnType<typeof readArguments> => {
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
const startNode = async (): Promise<void> => void nodes.push(await startParleyServer({ DATABASE_URL: postgres.url }));
const urls = (count: number): string[] => nodes.slice(0, count).map(({ port }) => `http://127.0.0.1:${port}`);
const say = (what: string): void => console.error(`  ${what}`);

/** Resident memory, from the system's own books; not a number where it keeps none. */
function residentMb({ pid }: ParleyServer): number {
  try {
    return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024;
  } catch {
    return Number.NaN;
  }
}

interface Setting {
  name: string;
  devices: readonly LoadDevice[];
  nodes: number;
}

async function measure({ name, devices, nodes: count }: Setting): Promise<string[]> {
  say(name);
  const load: Omit<Load, 'kind' | 'perSecond'> = { urls: urls(count), devices, seconds: asked.seconds };
  await measureLoad({ ...load, ...WARM_UP, kind: 'push' });
  const push = await highestRate({ ...load, kind: 'push' }, LIMIT);
  await measureLoad({ ...load, ...WARM_UP, kind: 'pull' });
  const pull = await highestRate({ ...load, kind: 'pull' }, LIMIT);
  const cells = (found: typeof push): string[] =>
    found === null
      ? ['below 25', '-', '-']
      : [`${found.perSecond}`, formatFigure(found.figures.p50Ms), formatFigure(found.figures.p99Ms)];
  const memory = nodes.slice(0, count).map(residentMb);
  return [name, ...cells(push), ...cells(pull), memory.map((mb) => mb.toFixed(0)).join(' + ')];
}

try {
  await startNode();
  await sql.connect();
  const [url = ''] = urls(1);
  const like = await firstLearner(url, sql);
  const rows: string[][] = [];
  say('filling the database');
  const few = await addLearners(sql, like, { count: 100, rowsEach: 100 });
  rows.push(await measure({ name: '100 learners with 100 sessions', devices: few, nodes: 1 }));
  const alone = await databaseAlone(postgres.url, few, asked.seconds);
  const busy = await addLearners(sql, like, { count: 10, rowsEach: 10_000 });
  rows.push(await measure({ name: '10 learners with 10,000 sessions', devices: busy, nodes: 1 }));
  const many = await addLearners(sql, like, { count: asked.learners, rowsEach: 20 });
  rows.push(await measure({ name: `${asked.learners} learners with 20 sessions`, devices: many, nodes: 1 }));

  say('open lines');
  const beforeMb = nodes[0] === undefined ? Number.NaN : residentMb(nodes[0]);
  const listening = many.slice(0, 2_000);
  const listeners = await openListeners(url, listening);
  const lineKb = nodes[0] === undefined ? Number.NaN : ((residentMb(nodes[0]) - beforeMb) * 1024) / listening.length;
  rows.push(await measure({ name: `the same, ${listening.length} listening`, devices: many, nodes: 1 }));
  listeners.close();

  await startNode();
  rows.push(await measure({ name: 'the same, two nodes', devices: many, nodes: 2 }));

  console.log(
    formatTable(
      ['', 'pushes a second', 'p50, ms', 'p99, ms', 'pulls a second', 'p50, ms', 'p99, ms', 'memory of the nodes, MiB'],
      rows,
    ),
  );
  const pushes = Number(rows[0]?.[1]);
  console.log(
    `\nThe database alone, same lock, row and commit: ${formatFigure(alone)} a second; a push through the server: ${formatFigure(pushes / alone)}x of that.`,
  );
  console.log(`An open line takes ${formatFigure(lineKb)} KiB of the server's memory.`);
  console.log(
    `Highest rate tried that was answered within ${LIMIT.p99Ms} ms, 99 of 100; ${availableParallelism()} cores for all.`,
  );
} finally {
  await Promise.all(nodes.map((node) => node.stop()));
  await sql.end().catch(() => undefined);
  await postgres.stop();
  await rm(dir, { recursive: true, force: true });
}
process.exit(0);
