import { expect, it } from 'vitest';
import { runInParallel } from './run-in-parallel.ts';

it('runs every task, in order, and never more than the limit at a time', async () => {
  const started: number[] = [];
  const finish: (() => void)[] = [];
  let running = 0;
  let mostRunning = 0;
  const tasks = Array.from({ length: 5 }, (_, index) => async () => {
    started.push(index);
    running += 1;
    mostRunning = Math.max(mostRunning, running);
    await new Promise<void>((resolve) => finish.push(resolve));
    running -= 1;
  });
  const all = runInParallel(tasks, 2);
  while (finish.length < 5 || running > 0) {
    finish[started.length - running]?.();
    await new Promise((resolve) => setImmediate(resolve));
  }
  await all;
  expect(started).toEqual([0, 1, 2, 3, 4]);
  expect(mostRunning).toBe(2);
});

it('fails when a task fails', async () => {
  const failing = async (): Promise<void> => {
    throw new Error('no such tool');
  };
  await expect(runInParallel([failing], 2)).rejects.toThrow('no such tool');
});
