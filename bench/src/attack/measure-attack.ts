/** Measures memory and the latency of an honest client while a server is attacked. */
import { setTimeout as sleep } from 'node:timers/promises';
import { registerAccount, readStream } from './anonymous-account.ts';
import type { AttackFigures } from './attack.ts';
import type { Target } from './target.ts';
import { quantile } from '../measure/quantile.ts';

const SAMPLE_EVERY_MS = 20;
const HONEST_EVERY_MS = 25;
const WARM_UP_REQUESTS = 40;
const WARM_UP_STREAMS = 5;
/** How long memory is sampled once the attack is in place. */
const OBSERVATION_MS = 5_000;

/** `attack` resolves when the attack is in place; the function that it returns stops the attack. */
export async function measureAttack(
  target: Target,
  attack: () => Promise<() => Promise<void> | void>,
): Promise<AttackFigures> {
  const honest = await registerAccount(target);
  const sendHonestRequest = async (): Promise<boolean> => {
    const answer = await fetch(`${target.url}/v1/devices`, { headers: { authorization: honest.authorization } });
    await answer.arrayBuffer();
    return answer.ok;
  };
  // A cold server is slow and small, so it is warmed up before measuring.
  for (let count = 0; count < WARM_UP_REQUESTS; count += 1) await sendHonestRequest();
  for (let count = 0; count < WARM_UP_STREAMS; count += 1) await readStream(target, honest);
  const beforeMb = target.residentMb();
  let highestMb = beforeMb;
  const sampling = setInterval(() => {
    highestMb = Math.max(highestMb, target.residentMb());
  }, SAMPLE_EVERY_MS);
  let isFinished = false;
  const honestTimesMs: number[] = [];
  let honestFailures = 0;
  const honestRequests = (async () => {
    while (!isFinished) {
      const startMs = performance.now();
      if (!(await sendHonestRequest().catch(() => false))) honestFailures += 1;
      honestTimesMs.push(performance.now() - startMs);
      await sleep(HONEST_EVERY_MS);
    }
  })();
  const stopAttack = await attack();
  await sleep(OBSERVATION_MS);
  isFinished = true;
  await honestRequests;
  clearInterval(sampling);
  await stopAttack();
  return { addedMb: highestMb - beforeMb, honestP99Ms: quantile(honestTimesMs, 0.99), honestFailures };
}
