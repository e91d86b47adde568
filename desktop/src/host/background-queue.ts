/** Runs work in the background, one piece after another. A failure is logged, and the rest continues. */
import type { Logger } from './logger.ts';

export interface BackgroundQueue {
  add(failureEvent: string, work: () => Promise<void>): void;
  /** Resolves when all work that was added before is done. */
  whenIdle(): Promise<void>;
}

export function createBackgroundQueue(logger: Logger): BackgroundQueue {
  let running: Promise<void> = Promise.resolve();
  return {
    add(failureEvent, work) {
      running = running.then(work).catch((error: unknown) => logger.error({ err: error }, failureEvent));
    },
    whenIdle: () => running,
  };
}
