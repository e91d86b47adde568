/** `npm run torture`: runs devices and a server under drawn faults. A run passes when all replicas are equal and nothing is lost. */
import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readArguments, USAGE } from './arguments.ts';
import { bundleCode } from './bundle-code.ts';
import { createFaultCounts } from './counts.ts';
import { readCatalogueIds } from './plan/catalogue-ids.ts';
import { drawPlan } from './plan/draw-plan.ts';
import type { Plan } from './plan/plan.ts';
import { readProtocolDocument } from './oracle/protocol-document.ts';
import { openProcessPool } from './process-pool.ts';
import { REGRESSIONS } from './regression-seeds.ts';
import { executeRun } from './run/run.ts';
import type { TortureSetup } from './run/run-environment.ts';
import { openServerStarter } from './server-starter.ts';
import { buildTemplate } from './template/build-template.ts';
import { openPostgresDatabases, openPgliteDatabases } from './template/server-databases.ts';

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
// As root, PostgreSQL runs under its own user, which must be able to enter this folder.
await chmod(dir, 0o755);
const cacheDir = join(dir, 'code');
await mkdir(cacheDir);
const code = await bundleCode();
const pool = openProcessPool(code.device, { spare: parallel, cacheDir });
const starter = openServerStarter(cacheDir, code.server);
const databases = options.isPostgres ? await openPostgresDatabases(dir) : openPgliteDatabases(dir);
const counts = createFaultCounts();
const deadlineMs = options.minutes === null ? Number.POSITIVE_INFINITY : performance.now() + options.minutes * 60_000;

const seeds = [
  ...(options.withRegressions ? REGRESSIONS : []),
  ...Array.from({ length: runs }, (_, index) => seed + index),
];
/** Progress goes to stderr, so that stdout has only results. */
const PROGRESS_EVERY = 25;
let passed = 0;
let failed = 0;

/** Writes all problems and the plan beside the folders of a failed run. */
async function keepReport(runDir: string, plan: Plan, problems: readonly string[]): Promise<void> {
  await writeFile(join(runDir, 'problems.txt'), `${problems.join('\n')}\n`);
  await writeFile(join(runDir, 'plan.json'), JSON.stringify(plan, null, 2));
}

/** Runs seeds until none is left or the time is over. */
async function runSeeds(bench: TortureSetup): Promise<void> {
  for (let next = seeds.shift(); next !== undefined && performance.now() < deadlineMs; next = seeds.shift()) {
    const runDir = join(dir, `run-${next}`);
    const plan = drawPlan(next, options, bench);
    const problems = await executeRun(bench, plan, runDir).catch((error: unknown) => [
      error instanceof Error ? String(error.stack) : String(error),
    ]);
    await databases.remove(runDir);
    if (seeds.length % PROGRESS_EVERY === 0) console.error(`${seeds.length} runs left`);
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
  const ids = readCatalogueIds();
  const template = await buildTemplate({ dir, databases, starter, pool, ids });
  const bench: TortureSetup = { template, ids, pool, starter, counts, databases, document: readProtocolDocument() };
  const startedMs = performance.now();
  await Promise.all(Array.from({ length: parallel }, () => runSeeds(bench)));
  const seconds = (performance.now() - startedMs) / 1000;
  console.log(`\n${counts.table()}\n\n${(seconds / Math.max(1, passed + failed)).toFixed(1)} s a run`);
} finally {
  await Promise.all([pool.close(), starter.close()]);
  await databases.close();
  await code.remove();
  if (failed === 0) await rm(dir, { recursive: true, force: true });
}
console.log(`${passed} passed, ${failed} failed`);
process.exit(failed > 0 ? 1 : 0);
