/** Records Electron processes that crash without an error that could be caught, and reloads their windows. */
import type { App, WebContents } from 'electron';
import type { CrashSource } from '@parley/contract';
import { type CrashRecorder, recordCrash } from '../crash-folder.ts';

/** The other reasons are an intended exit, and an exit after an error that the process itself has recorded. */
const CRASHED: readonly string[] = ['crashed', 'oom', 'launch-failed', 'integrity-failure'];

export const HOST_PROCESS_NAME = 'Parley host';

export function recordCrashedProcesses(app: Pick<App, 'on'>, recorder: Omit<CrashRecorder, 'source'>): void {
  const record = (source: CrashSource, process: string, reason: string): void => {
    if (CRASHED.includes(reason))
      recordCrash({ ...recorder, source }, { kind: `${process.replaceAll(' ', '-')}-${reason}` });
  };
  app.on('render-process-gone', (_event, _contents, { reason }) => record('window', 'Window', reason));
  app.on('child-process-gone', (_event, { type, name, reason }) =>
    name === HOST_PROCESS_NAME ? record('host', 'Host', reason) : record('main', type, reason),
  );
}

const MAX_RELOADS = 2;
const RELOAD_WINDOW_MS = 60_000;

/**
 * A window without its process is blank. A window that crashes repeatedly is not reloaded, so that the computer stays
 * usable.
 */
export function reloadCrashedWindows(app: Pick<App, 'on'>): void {
  let reloadedAt: number[] = [];
  app.on('render-process-gone', (_event, contents: Pick<WebContents, 'reload' | 'isDestroyed'>, { reason }) => {
    if (reason === 'clean-exit' || contents.isDestroyed()) return;
    const now = Date.now();
    reloadedAt = reloadedAt.filter((at) => now - at < RELOAD_WINDOW_MS);
    if (reloadedAt.length >= MAX_RELOADS) return;
    reloadedAt.push(now);
    contents.reload();
  });
}
