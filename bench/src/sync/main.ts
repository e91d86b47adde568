/** `npm run bench:sync`: runs the product, its peers and a baseline on one workload and prints ratios to ours. */
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readArguments, USAGE } from './arguments.ts';
import { CHANGES } from './workload.ts';
import { installPeers } from './install-peers.ts';
import { fillTemplate, race } from './race.ts';
import { formatNotes, type Result, formatResults } from './format-results.ts';

const { runs, contestants, workload } = ((): ReturnType<typeof readArguments> => {
  try {
    return readArguments(process.argv.slice(2));
  } catch (error) {
    console.error(`${error instanceof Error ? error.message : String(error)}\n${USAGE}`);
    process.exit(2);
  }
})();

const startedMs = performance.now();
const log = (what: string): void =>
  console.error(`${((performance.now() - startedMs) / 1000).toFixed(0).padStart(4)} s  ${what}`);

if (contestants.some(({ isPeer }) => isPeer)) await installPeers(log);

const results: Result[] = contestants.map((contestant) => ({ contestant, runs: [], failure: null }));
const dir = await mkdtemp(join(tmpdir(), 'parley-race-'));
// As root, PostgreSQL runs under its own user, which must be able to enter this folder.
await chmod(dir, 0o755);

/** A contestant that fails is marked in the table, and the others continue. */
async function runStep(result: Result, what: string, work: () => Promise<void>): Promise<void> {
  if (result.failure !== null) return;
  log(`${what} ${result.contestant.name}`);
  try {
    await work();
  } catch (error) {
    result.failure = error instanceof Error ? error.message : String(error);
    log(`${result.contestant.name} failed: ${result.failure}`);
  }
}

try {
  for (const result of results) {
    const { contestant } = result;
    await runStep(result, 'filling', () => fillTemplate(contestant, join(dir, contestant.folder), workload));
  }
  for (let run = 0; run < runs; run += 1) {
    for (const result of results) {
      const { contestant } = result;
      const folders = { templateDir: join(dir, contestant.folder), runDir: join(dir, `${contestant.folder}-run`) };
      await runStep(result, `run ${run + 1} of`, async () => {
        result.runs.push(await race(contestant, folders, { workload, changeCount: Math.ceil(CHANGES / runs) }));
      });
    }
  }
} finally {
  await rm(dir, { recursive: true, force: true });
}

console.log(`\n${formatResults(results, workload)}\n\n${formatNotes(results)}`);
process.exit(results.some(({ failure }) => failure !== null) ? 1 : 0);
