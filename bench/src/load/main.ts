/**
 * `npm run bench:server`: loads one and then two server processes on PostgreSQL with thousands of devices. It measures how many pushes
 * and pulls per second stay within 100 ms (p99), beside the database alone; the memory of each node; and how both change with the
 * number of rows, learners and nodes.
 */
import { availableParallelism } from 'node:os';
import type { ParleyServer } from '../processes/start-parley-server.ts';
import { formatFigure } from '../prove/promise.ts';
import { formatTable } from '../report/format-table.ts';
import { readArguments, USAGE } from './arguments.ts';
import { type HighestRate, LIMIT, openLoadTest, residentMb } from './load-test.ts';
import type { LoadDevice } from './seed-learners.ts';

const options = ((): ReturnType<typeof readArguments> => {
  try {
    return readArguments(process.argv.slice(2));
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    console.error(USAGE);
    process.exit(2);
  }
})();

const log = (what: string): void => console.error(`  ${what}`);
const test = await openLoadTest(options);

interface Scenario {
  name: string;
  /** What the devices push; typed turns unless given. */
  pushes?: 'answer';
  devices: readonly LoadDevice[];
  at: readonly ParleyServer[];
}

async function measure({ name, pushes, devices, at }: Scenario): Promise<string[]> {
  log(name);
  const push = await test.findHighestRate(pushes ?? 'push', devices, at);
  const pull = await test.findHighestRate('pull', devices, at);
  const cells = (best: HighestRate): string[] =>
    best === null
      ? ['below 25', '-', '-']
      : [`${best.perSecond}`, formatFigure(best.figures.p50Ms), formatFigure(best.figures.p99Ms)];
  const memory = at.map(residentMb);
  return [name, ...cells(push), ...cells(pull), memory.map((mb) => mb.toFixed(0)).join(' + ')];
}

try {
  const first = await test.startNode();
  const rows: string[][] = [];
  log('filling the database');
  const hundredLearners = await test.addLearners(100, 100);
  rows.push(await measure({ name: '100 learners with 100 sessions', devices: hundredLearners, at: [first] }));
  rows.push(
    await measure({ name: 'the same, spoken answers', pushes: 'answer', devices: hundredLearners, at: [first] }),
  );
  const baseline = await test.measureDatabase(hundredLearners);
  const busyLearners = await test.addLearners(60, 10_000);
  rows.push(await measure({ name: '60 learners with 10,000 sessions', devices: busyLearners, at: [first] }));
  const manyLearners = await test.addLearners(options.learners, 20);
  rows.push(
    await measure({ name: `${options.learners} learners with 20 sessions`, devices: manyLearners, at: [first] }),
  );

  // A separate node, whose memory contains nothing from the load before.
  log('opening poke connections');
  const second = await test.startNode();
  const { listeners, startedMb, listeningMb } = await test.listen(manyLearners, second);
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
  await test.stop();
}
process.exit(0);
