/** Runs two contestants of `npm run bench:sync`: the product and the baseline. */
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CONTESTANTS } from '../sync/contestant.ts';
import { fillTemplate, race } from '../sync/race.ts';

export interface BaselineRatios {
  /** Our seconds divided by those of the baseline. */
  pullRatio: number;
  pushRatio: number;
  /** Median time until a change is visible on another device. */
  changeP50Ms: number;
}

const CHANGES = 60;

export async function compareWithBaseline(): Promise<BaselineRatios> {
  const dir = await mkdtemp(join(tmpdir(), 'parley-race-'));
  // As root, PostgreSQL runs under its own user, which must be able to enter this folder.
  await chmod(dir, 0o755);
  try {
    const [ours, floor] = [await runContestant('parley-postgres', dir), await runContestant('floor', dir)];
    const seen = ours.changes.map(({ seenMs }) => seenMs).toSorted((a, b) => a - b);
    return {
      pullRatio: ours.pull.ms / floor.pull.ms,
      pushRatio: ours.push.ms / floor.push.ms,
      changeP50Ms: seen[Math.floor(seen.length / 2)] ?? Number.POSITIVE_INFINITY,
    };
  } finally {
    await rm(dir, { recursive: true, force: true });
  }
}

async function runContestant(folder: string, dir: string): ReturnType<typeof race> {
  const contestant = CONTESTANTS.find((each) => each.folder === folder);
  if (contestant === undefined) throw new Error(`there is no contestant ${folder}`);
  const folders = { templateDir: join(dir, folder), runDir: join(dir, `${folder}-run`) };
  await fillTemplate(contestant, folders.templateDir);
  return race(contestant, folders, CHANGES);
}
