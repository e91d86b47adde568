/** `npm run bench:sync`: this product, its peers and the floor on one job; one table, with ratios to us. */
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readArguments, USAGE } from './arguments.ts';
import { CHANGES } from './job.ts';
import { installPeers } from './peers.ts';
import { prepare, race } from './race.ts';
import { notesOf, type Result, tableOf } from './table.ts';

const { runs, contestants } = ((): ReturnType<typeof readArguments> => {
  try {
    return readArguments(process.argv.slice(2));
  } catch (error) {
    console.error(`${error instanceof Error ? error.message : String(error)}\n${USAGE}`);
    process.exit(2);
  }
})();

const startedMs = performance.now();
const say = (what: string): void =>
  console.error(`${((performance.now() - startedMs) / 1000).toFixed(0).padStart(4)} s  ${what}`);

if (contestants.some(({ isPeer }) => isPeer)) await installPeers(say);

const results: Result[] = contestants.map((contestant) => ({ contestant, runs: [], failure: null }));
const dir = await mkdtemp(join(tmpdir(), 'parley-race-'));
// PostgreSQL runs under a user of its own where we are root, and has to reach its folder in here.
await chmod(dir, 0o755);

/** One that fails is out, and says so in the table; the others go on. */
async function attempt(result: Result, what: string, work: () => Promise<void>): Promise<void> {
  if (result.failure !== null) return;
  say(`${what} ${result.contestant.name}`);
  try {
    await work();
  } catch (error) {
    result.failure = error instanceof Error ? error.message : String(error);
    say(`${result.contestant.name} failed: ${result.failure}`);
  }
}

try {
  for (const result of results) {
    const { contestant } = result;
    await attempt(result, 'filling', () => prepare(contestant, join(dir, contestant.folder)));
  }
  for (let run = 0; run < runs; run += 1) {
    for (const result of results) {
      const { contestant } = result;
      const folders = { templateDir: join(dir, contestant.folder), runDir: join(dir, `${contestant.folder}-run`) };
      await attempt(result, `run ${run + 1} of`, async () => {
        result.runs.push(await race(contestant, folders, Math.ceil(CHANGES / runs)));
      });
    }
  }
} finally {
  await rm(dir, { recursive: true, force: true });
}

console.log(`\n${tableOf(results)}\n\n${notesOf(results)}`);
process.exit(results.some(({ failure }) => failure !== null) ? 1 : 0);
