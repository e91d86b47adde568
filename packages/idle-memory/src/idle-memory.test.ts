import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';

/**
 * In a separate process, because other tests keep this one busy. It ends when the memory of both bursts has been
 * collected.
 */
const PROGRAM = `
  import { releaseMemoryAtRest } from ${JSON.stringify(new URL('./index.ts', import.meta.url).href)};
  const burst = (bytes) => new WeakRef(new Uint8Array(bytes).fill(1));
  const isCollected = async (left) => {
    while (left.deref() !== undefined) await new Promise((resolve) => setTimeout(resolve, 20));
  };
  releaseMemoryAtRest({ checkEveryMs: 50 });
  await isCollected(burst(64e6));
  console.log('first');
  await isCollected(burst(96e6));
  console.log('second');
`;

it('releases the memory of a burst of work when the process is idle', async () => {
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ['--disable-warning=ExperimentalWarning', '--input-type=module', '--eval', PROGRAM],
    { timeout: 20_000 },
  );
  expect(stdout).toBe('first\nsecond\n');
});
