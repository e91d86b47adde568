/**
 * Keeps the memory of an idle process small. V8 collects garbage when memory is allocated, so an idle process would
 * keep for days what its start or its last burst of work needed: about 100 MB in the app, and twice as much in the
 * server.
 */
import { performance } from 'node:perf_hooks';
import v8 from 'node:v8';
import { runInNewContext } from 'node:vm';

const CHECK_EVERY_MS = 5_000;
/** Below this share of busy time, the process counts as idle. Timers, polls and pings stay far below it. */
const RESTING_UTILIZATION = 0.05;
/** The minimum allocation since the last collection that makes another one worthwhile. */
const WORTH_BYTES = 24 * 1_048_576;

type Collect = (options: { type: 'major'; execution: 'sync'; flavor: 'last-resort' }) => void;

/** Only this kind of collection returns the pages that the young generation has kept. */
function findCollector(): Collect {
  v8.setFlagsFromString('--expose-gc');
  return runInNewContext('gc') as Collect;
}

export interface RestingOptions {
  /** Stops the checks. */
  signal?: AbortSignal;
  checkEveryMs?: number;
}

/**
 * Collects once whenever the process has become idle after work. Nothing waits for the collection then, which takes a
 * tenth of a second.
 */
export function releaseMemoryAtRest({ signal, checkEveryMs = CHECK_EVERY_MS }: RestingOptions = {}): void {
  const collect = findCollector();
  let atLastCheck = performance.eventLoopUtilization();
  let keptBytes = 0;
  const timer = setInterval(() => {
    const now = performance.eventLoopUtilization();
    const { utilization } = performance.eventLoopUtilization(now, atLastCheck);
    atLastCheck = now;
    if (utilization > RESTING_UTILIZATION || process.memoryUsage.rss() - keptBytes < WORTH_BYTES) return;
    collect({ type: 'major', execution: 'sync', flavor: 'last-resort' });
    keptBytes = process.memoryUsage.rss();
    // The collection itself does not count as work.
    atLastCheck = performance.eventLoopUtilization();
  }, checkEveryMs).unref();
  signal?.addEventListener('abort', () => clearInterval(timer), { once: true });
}
