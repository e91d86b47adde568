/**
 * Draws pictures one after the other in a worker thread, so that an endless drawing costs only its time limit and does
 * not block the server.
 */
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { Worker } from 'node:worker_threads';

/** The built server has the compiled worker in the same folder. */
const WORKER_FILE = ['ts', 'mjs']
  .map((ending) => new URL(`./draw-picture-worker.${ending}`, import.meta.url))
  .find((file) => existsSync(file));
/** Our own pictures take 0.2 s on a small server. */
const DRAW_TIMEOUT_MS = 8_000;
/** A busy server starts threads slowly, for which the picture is not to blame. */
const START_TIMEOUT_MS = 30_000;
const MAX_WAITING = 50;

async function startWorker(): Promise<Worker | null> {
  if (WORKER_FILE === undefined) throw new Error('The worker that draws pictures is missing.');
  const worker = new Worker(WORKER_FILE, { stdout: true, stderr: true });
  worker.unref();
  // The drawing that is in progress reports it.
  worker.on('error', () => undefined);
  try {
    await once(worker, 'message', { signal: AbortSignal.timeout(START_TIMEOUT_MS) });
    return worker;
  } catch {
    await worker.terminate();
    return null;
  }
}

export interface PictureDrawer {
  /** `width` is in pixels. `undrawable`: the picture itself is the reason. `busy`: it may be drawn later. */
  draw: (svg: string, width: number) => Promise<Buffer | 'undrawable' | 'busy'>;
  close: () => Promise<void>;
}

export function createPictureDrawer({ timeoutMs = DRAW_TIMEOUT_MS, maxWaiting = MAX_WAITING } = {}): PictureDrawer {
  let worker: Worker | null = null;
  let waiting = 0;
  let last: Promise<unknown> = Promise.resolve();
  let isClosed = false;

  const stop = async (): Promise<void> => {
    const stopped = worker;
    worker = null;
    await stopped?.terminate();
  };

  async function drawNow(svg: string, width: number): Promise<Buffer | 'undrawable' | 'busy'> {
    if (isClosed) return 'busy';
    worker ??= await startWorker();
    if (worker === null) return 'busy';
    if (isClosed) {
      await stop();
      return 'busy';
    }
    try {
      const answered = once(worker, 'message', { signal: AbortSignal.timeout(timeoutMs) });
      worker.postMessage({ svg, width });
      const [png] = (await answered) as [Uint8Array | null];
      if (png !== null) return Buffer.from(png);
    } catch {
      // The thread timed out or died.
    }
    // After a failure the library’s memory may be in any state.
    await stop();
    return isClosed ? 'busy' : 'undrawable';
  }

  return {
    async draw(svg, width) {
      if (waiting >= maxWaiting) return 'busy';
      waiting += 1;
      const drawn = last.then(() => drawNow(svg, width));
      last = drawn.catch(() => undefined);
      try {
        return await drawn;
      } finally {
        waiting -= 1;
        // An idle thread would keep its memory.
        if (waiting === 0) await stop();
      }
    },
    async close() {
      isClosed = true;
      await stop();
    },
  };
}
