/** The race of `npm run bench:sync` with two of its contestants: the product and the floor. */
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CONTESTANTS } from '../sync/contestant.ts';
import { prepare, race } from '../sync/race.ts';

export interface RaceFigures {
  /** Seconds of ours over seconds of the floor. */
  pullRatio: number;
  pushRatio: number;
  /** Until a change is seen on another device, half of them. */
  changeP50Ms: number;
}

const CHANGES = 60;

export async function raceTheFloor(): Promise<RaceFigures> {
  const dir = await mkdtemp(join(tmpdir(), 'parley-race-'));
  // PostgreSQL runs under a user of its own where we are root, and has to reach its folder in here.
  await chmod(dir, 0o755);
  try {
    const [ours, floor] = [await run('parley-postgres', dir), await run('floor', dir)];
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

async function run(folder: string, dir: string): ReturnType<typeof race> {
  const contestant = CONTESTANTS.find((each) => each.folder === folder);
  if (contestant === undefined) throw new Error(`nobody races under the name ${folder}`);
  const folders = { templateDir: join(dir, folder), runDir: join(dir, `${folder}-run`) };
  await prepare(contestant, folders.templateDir);
  return race(contestant, folders, CHANGES);
}
