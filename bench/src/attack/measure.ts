/** Watches a server while it is attacked: its memory, and how soon an honest caller is answered. */
import { setTimeout as sleep } from 'node:timers/promises';
import { openAccount, readStream } from './account.ts';
import type { AttackFigures } from './attack.ts';
import type { Target } from './target.ts';

const SAMPLE_EVERY_MS = 20;
const HONEST_EVERY_MS = 25;
const WARM_UP_REQUESTS = 40;
const WARM_UP_STREAMS = 5;
/** So long memory is watched after the attack stands. */
const WATCH_MS = 5_000;

/** `attack` resolves when the attack stands; what it returns ends it. */
export async function measureAttack(
  target: Target,
  attack: () => Promise<() => Promise<void> | void>,
): Promise<AttackFigures> {
  const honest = await openAccount(target);
  const ask = async (): Promise<boolean> => {
    const answer = await fetch(`${target.url}/v1/devices`, { headers: { authorization: honest.authorization } });
    await answer.arrayBuffer();
    return answer.ok;
  };
  // A server that was just started is slow and small: it is measured as one that has served somebody.
  for (let count = 0; count < WARM_UP_REQUESTS; count += 1) await ask();
  for (let count = 0; count < WARM_UP_STREAMS; count += 1) await readStream(target, honest);
  const beforeMb = target.residentMb();
  let highestMb = beforeMb;
  const sampling = setInterval(() => {
    highestMb = Math.max(highestMb, target.residentMb());
  }, SAMPLE_EVERY_MS);
  let isOver = false;
  const tookMs: number[] = [];
  let honestFailures = 0;
  const asking = (async () => {
    while (!isOver) {
      const startMs = performance.now();
      if (!(await ask().catch(() => false))) honestFailures += 1;
      tookMs.push(performance.now() - startMs);
      await sleep(HONEST_EVERY_MS);
    }
  })();
  const end = await attack();
  await sleep(WATCH_MS);
  isOver = true;
  await asking;
  clearInterval(sampling);
  await end();
  return { addedMb: highestMb - beforeMb, honestP99Ms: quantile(tookMs, 0.99), honestFailures };
}

function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}
