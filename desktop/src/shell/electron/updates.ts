/** Looks for updates in packaged builds that know where they are published, and offers a restart when one is ready. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { AppUpdater, UpdateDownloadedEvent } from 'electron-updater';
import type { Logger } from '../../host/index.ts';

const CHECK_EVERY_MS = 6 * 60 * 60_000;

/**
 * The packager writes the first file if it knows where updates are published, and the second into a `.deb`. A `.deb` is
 * updated like any other package, because electron-updater would ask for an administrator's password whenever Parley
 * quits.
 */
export const hasUpdateLocation = ({
  isPackaged,
  resourcesDir,
}: {
  isPackaged: boolean;
  resourcesDir: string;
}): boolean =>
  isPackaged && existsSync(join(resourcesDir, 'app-update.yml')) && !existsSync(join(resourcesDir, 'package-type'));

export interface ReadyUpdate {
  version: string;
  /** Plain text; empty when the release has none. */
  notes: string;
}

export interface UpdateOptions {
  updater: Pick<
    AppUpdater,
    'on' | 'checkForUpdates' | 'quitAndInstall' | 'logger' | 'autoDownload' | 'autoInstallOnAppQuit' | 'allowDowngrade'
  >;
  logger: Logger;
  /** Whether the learner is in the middle of a session. */
  isBusy: () => boolean;
  /** Asks the learner; resolves to true when Parley may restart now. */
  ask: (update: ReadyUpdate) => Promise<boolean>;
}

export interface Updates {
  check(): Promise<void>;
  /** Asks about an update that became ready during a session. Call this whenever the window shows another screen. */
  askIfReady(): Promise<void>;
}

/**
 * Downloads in the background. A finished download is installed when the learner agrees or quits, and never during a
 * session.
 */
export function createUpdates({ updater, logger, isBusy, ask }: UpdateOptions): Updates {
  let ready: ReadyUpdate | null = null;
  updater.logger = null;
  updater.autoDownload = true;
  updater.autoInstallOnAppQuit = true;
  updater.allowDowngrade = false;
  // A failed check, for example without a connection, or a damaged download; the next check tries again.
  updater.on('error', (error) => logger.warn({ err: error }, 'update_failed'));
  updater.on('update-downloaded', (event) => {
    ready = toReadyUpdate(event);
    void askIfReady();
  });

  async function askIfReady(): Promise<void> {
    if (ready === null || isBusy()) return;
    const offered = ready;
    // Each release is offered once; a learner who chooses "later" gets it on quitting.
    ready = null;
    if (!(await ask(offered))) return;
    if (isBusy()) ready = offered;
    // On Windows, only a silent installation asks no further questions, and it restarts Parley only on request.
    else updater.quitAndInstall(true, true);
  }

  return {
    check: async () => {
      // A failed check also emits an `error` event, which is logged above.
      await updater.checkForUpdates().catch(() => undefined);
    },
    askIfReady,
  };
}

export function keepUpToDate(updates: Updates): void {
  void updates.check();
  setInterval(() => void updates.check(), CHECK_EVERY_MS).unref();
}

const MAX_NOTES_CHARACTERS = 2_000;

/** Release notes come from the feed, so they are shown as text and cut to a length that fits a dialog. */
function toReadyUpdate({ version, releaseNotes }: UpdateDownloadedEvent): ReadyUpdate {
  const text =
    typeof releaseNotes === 'string' ? releaseNotes : (releaseNotes ?? []).map(({ note }) => note ?? '').join('\n');
  const plain = text.replaceAll(/<[^>]*>/g, '').trim();
  return { version, notes: plain.length > MAX_NOTES_CHARACTERS ? `${plain.slice(0, MAX_NOTES_CHARACTERS)} …` : plain };
}
