/** Runs the tasks in order, at most `limit` at a time. */
export async function runInParallel(tasks: readonly (() => Promise<void>)[], limit: number): Promise<void> {
  const waiting = [...tasks];
  const work = async (): Promise<void> => {
    for (let task = waiting.shift(); task !== undefined; task = waiting.shift()) await task();
  };
  await Promise.all(Array.from({ length: limit }, work));
}
