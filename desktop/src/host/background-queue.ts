/** Runs background work one task at a time. If a task fails, the failure is logged and the next task runs. */
import type { Logger } from './logger.ts';

export interface BackgroundQueue {
  add(failureEvent: string, work: () => Promise<void>): void;
  /** Resolves when all tasks that were added before this call are done. */
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
