/** Looks for a newer version, where this build knows a place to look: a packaged app that was given one by its packager. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Logger } from '../../host/index.ts';

const CHECK_EVERY_MS = 6 * 60 * 60_000;

/** The packager writes this file when it was told where updates are published. */
export const knowsWhereToLook = (app: { isPackaged: boolean; resourcesDir: string }): boolean =>
  app.isPackaged && existsSync(join(app.resourcesDir, 'app-update.yml'));

/** Downloads in the background; what was downloaded is installed when the learner quits, never under their hands. */
export async function keepUpToDate(logger: Logger): Promise<void> {
  const { autoUpdater } = (await import('electron-updater')).default;
  autoUpdater.logger = null;
  autoUpdater.autoDownload = true;
  autoUpdater.autoInstallOnAppQuit = true;
  autoUpdater.on('error', (error) => logger.warn({ err: error }, 'no update could be fetched'));
  const check = (): void => {
    // Being offline is no news; the listener above hears of it.
    autoUpdater.checkForUpdates().catch(() => undefined);
  };
  check();
  setInterval(check, CHECK_EVERY_MS).unref();
}
