/**
 * Detects that the learner has closed Parley, by its own browser process or by its windows in a browser that was
 * already open.
 */
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import type { WindowCount } from './window-count.ts';

/** A browser that accepts a window from another process has connected it within this time. */
const HAND_OVER_MS = 5_000;
/** A window that is reloaded has connected again within this time. */
const RELOAD_MS = 5_000;

export interface Waits {
  handOverMs: number;
  reloadMs: number;
}

const WAITS: Waits = { handOverMs: HAND_OVER_MS, reloadMs: RELOAD_MS };

/**
 * After a crash of this shell, its browser may still be open. The next browser process hands its window over to that
 * one and exits at once, so an exit counts only when no window is connected any more.
 */
export async function closedByLearner(
  browser: ChildProcess,
  { windows, onNoWindow, waits = WAITS }: { windows: WindowCount; onNoWindow: () => void; waits?: Waits | undefined },
): Promise<void> {
  // A browser that cannot be started opens no window either.
  await once(browser, 'exit').catch(() => undefined);
  if (windows.hasConnected() && windows.isNoneOpen()) return;
  const timer = setTimeout(() => {
    if (!windows.hasConnected()) onNoWindow();
  }, waits.handOverMs).unref();
  await windows.allClosed(() => sleep(waits.reloadMs));
  clearTimeout(timer);
}
