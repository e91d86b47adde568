/** Runs two contestants of `npm run bench:sync`: the product and the baseline. */
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Contestant, CONTESTANTS } from '../sync/contestant.ts';
import { fillTemplate, race, type RaceFigures } from '../sync/race.ts';
import { type Workload, type WorkloadKind, WORKLOADS } from '../sync/workload.ts';
import { median } from './quantile.ts';

export interface BaselineRatios {
  /** Our seconds divided by those of the baseline. */
  pullRatio: number;
  pushRatio: number;
  /** Median time until a change is visible on another device. */
  changeP50Ms: number;
}

const CHANGES = 60;
/** A single run varies by half. */
const RUNS = 3;

export async function compareWithBaseline(kind: WorkloadKind): Promise<BaselineRatios> {
  const workload = WORKLOADS[kind];
  const dir = await mkdtemp(join(tmpdir(), 'parley-race-'));
  // As root, PostgreSQL runs under its own user, which must be able to enter this folder.
  await chmod(dir, 0o755);
  try {
    const runs: [ours: RaceFigures, floor: RaceFigures][] = [];
    await Promise.all(
      ['parley-postgres', 'floor'].map((folder) => fillTemplate(contestantOf(folder), join(dir, folder), workload)),
    );
    for (let run = 0; run < RUNS; run += 1)
      runs.push([
        await runContestant('parley-postgres', { dir, workload }),
        await runContestant('floor', { dir, workload }),
      ]);
    return {
      pullRatio: median(runs.map(([ours, floor]) => ours.pull.ms / floor.pull.ms)),
      pushRatio: median(runs.map(([ours, floor]) => ours.push.ms / floor.push.ms)),
      changeP50Ms: median(runs.flatMap(([ours]) => ours.changes.map(({ seenMs }) => seenMs))),
    };
  } finally {
    await rm(dir, { recursive: true, force: true });
  }
}

function contestantOf(folder: string): Contestant {
  const contestant = CONTESTANTS.find((each) => each.folder === folder);
  if (contestant === undefined) throw new Error(`there is no contestant ${folder}`);
  return contestant;
}

const runContestant = (folder: string, { dir, workload }: { dir: string; workload: Workload }): Promise<RaceFigures> =>
  race(
    contestantOf(folder),
    { templateDir: join(dir, folder), runDir: join(dir, `${folder}-run`) },
    { workload, changeCount: CHANGES },
  );
