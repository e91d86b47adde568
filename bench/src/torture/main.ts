/** `npm run torture`: devices and a server under every fault that the seed draws; each run ends in equal replicas that hold all that was acknowledged, or fails. */
import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readArguments, USAGE } from './arguments.ts';
import { createCounts } from './counts.ts';
import { catalogueIds } from './plan/catalogue-ids.ts';
import { drawPlan } from './plan/draw-plan.ts';
import type { Plan } from './plan/plan.ts';
import { readDocument } from './oracle/protocol-document.ts';
import { openProcessPool } from './process-pool.ts';
import { REGRESSIONS } from './regressions.ts';
import { runOnce } from './run/run.ts';
import type { Bench } from './run/world.ts';
import { openServerStarter } from './server.ts';
import { buildTemplate } from './template/build-template.ts';
import { openCluster, openFolders } from './template/databases.ts';

const options = ((): ReturnType<typeof readArguments> => {
  try {
    return readArguments(process.argv.slice(2));
  } catch (error) {
    console.error(`${error instanceof Error ? error.message : String(error)}\n${USAGE}`);
    process.exit(2);
  }
})();

const { seed, runs, parallel, without } = options;
console.log(
  [
    `seed ${seed}, ${runs} runs`,
    options.isPostgres ? 'PostgreSQL' : 'PGlite',
    `${options.devices ?? 'drawn'} devices`,
    `${parallel} at a time`,
    ...(without.size > 0 ? [`without ${[...without].join(', ')}`] : []),
  ].join(', '),
);

const dir = await mkdtemp(join(tmpdir(), 'parley-torture-'));
// PostgreSQL runs under a user of its own where we are root, and has to reach its folder in here.
await chmod(dir, 0o755);
const cacheDir = join(dir, 'code');
await mkdir(cacheDir);
const pool = openProcessPool(new URL('./device/device-process.ts', import.meta.url), { spare: parallel, cacheDir });
const starter = openServerStarter(cacheDir);
const databases = options.isPostgres ? await openCluster(dir) : openFolders(dir);
const counts = createCounts();
const deadlineMs = options.minutes === null ? Number.POSITIVE_INFINITY : performance.now() + options.minutes * 60_000;

const seeds = [
  ...(options.withRegressions ? REGRESSIONS : []),
  ...Array.from({ length: runs }, (_, index) => seed + index),
];
/** A sign of life on the error stream, beside the result. */
const TELL_EVERY = 25;
let passed = 0;
let failed = 0;

/** Beside the folders that the run leaves: everything that is wrong, and all that was done. */
async function keepReport(runDir: string, plan: Plan, problems: readonly string[]): Promise<void> {
  await writeFile(join(runDir, 'problems.txt'), `${problems.join('\n')}\n`);
  await writeFile(join(runDir, 'plan.json'), JSON.stringify(plan, null, 2));
}

/** Takes the next seed until none is left. */
async function work(bench: Bench): Promise<void> {
  for (let next = seeds.shift(); next !== undefined && performance.now() < deadlineMs; next = seeds.shift()) {
    const runDir = join(dir, `run-${next}`);
    const plan = drawPlan(next, options, bench);
    const problems = await runOnce(bench, plan, runDir).catch((error: unknown) => [
      error instanceof Error ? String(error.stack) : String(error),
    ]);
    await databases.remove(runDir);
    if (seeds.length % TELL_EVERY === 0) console.error(`${seeds.length} runs to come`);
    const [first] = problems;
    if (first === undefined) {
      passed += 1;
      await rm(runDir, { recursive: true, force: true });
      continue;
    }
    failed += 1;
    await keepReport(runDir, plan, problems);
    const rest = problems.length > 1 ? ` (and ${problems.length - 1} more)` : '';
    console.log(`seed ${next} failed: ${first.split('\n')[0]}${rest}; its folders: ${runDir}`);
  }
}

try {
  const ids = catalogueIds();
  const template = await buildTemplate({ dir, databases, starter, pool, ids });
  const bench: Bench = { template, ids, pool, starter, counts, databases, document: readDocument() };
  const startedMs = performance.now();
  await Promise.all(Array.from({ length: parallel }, () => work(bench)));
  const seconds = (performance.now() - startedMs) / 1000;
  console.log(`\n${counts.table()}\n\n${(seconds / Math.max(1, passed + failed)).toFixed(1)} s a run`);
} finally {
  await Promise.all([pool.close(), starter.close()]);
  await databases.close();
  if (failed === 0) await rm(dir, { recursive: true, force: true });
}
console.log(`${passed} passed, ${failed} failed`);
process.exit(failed > 0 ? 1 : 0);
