/** Updates from a real feed: electron-updater itself, reading files that the sync server serves under /downloads/files. */
import { buildApp } from '@parley/sync-server';
import { openMemoryDatabase } from '@parley/sync-server/test-kit';
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AppImageUpdater } from 'electron-updater';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { createUpdates, hasUpdateLocation, type ReadyUpdate } from './updates.ts';

const builderRequire = createRequire(createRequire(import.meta.url).resolve('app-builder-lib'));
interface Download {
  headers: Record<string, string>;
  cancellationToken: { createPromise: <Value>(work: (...callbacks: Callback[]) => void) => Promise<Value> };
}
type Callback = (value?: unknown) => void;
/** The HTTP client that electron-builder uses outside Electron; only its Electron counterpart downloads to a file. */
const { httpExecutor } = builderRequire('builder-util') as {
  httpExecutor: { doDownload: (request: object, parts: object, redirects: number) => void };
};
const { configureRequestUrl, configureRequestOptions } = builderRequire('builder-util-runtime') as {
  configureRequestUrl: (url: URL, request: object) => void;
  configureRequestOptions: (request: object) => void;
};
const downloadToFile = (url: URL, destination: string, options: Download): Promise<string> =>
  options.cancellationToken.createPromise((resolve, reject, onCancel) => {
    const request = { headers: options.headers };
    configureRequestUrl(url, request);
    configureRequestOptions(request);
    const callback = (error: unknown): void =>
      error === null || error === undefined ? resolve?.(destination) : reject?.(error);
    httpExecutor.doDownload(request, { destination, options, onCancel, callback, responseHandler: null }, 0);
  });
const folder = mkdtempSync(join(tmpdir(), 'parley-updates-'));
const downloadsDir = join(folder, 'downloads');
let feed: Awaited<ReturnType<typeof buildApp>>;
let feedUrl = '';
let run = 0;

beforeAll(async () => {
  mkdirSync(downloadsDir);
  const site = { textsDir: null, downloadsDir, operatorEmail: 'operator@parley.example' };
  feed = await buildApp({ database: await openMemoryDatabase(), site });
  feedUrl = `${await feed.listen({ host: '127.0.0.1', port: 0 })}/downloads/files`;
}, 180_000);
afterAll(() => feed.close());
beforeEach(() => {
  vi.stubEnv('APPIMAGE', join(folder, 'Parley.AppImage'));
  run += 1;
});
afterEach(() => vi.unstubAllEnvs());

function publish(version: string, options: { damaged?: boolean; stagingPercentage?: number } = {}): void {
  const file = `Parley-${version}.AppImage`;
  const content = Buffer.from(`the program of ${version}, run ${run}`);
  const sha512 = createHash('sha512').update(content).digest('base64');
  writeFileSync(join(downloadsDir, file), options.damaged === true ? content.toReversed() : content);
  writeFileSync(
    join(downloadsDir, 'latest-linux.yml'),
    [
      `version: ${version}`,
      'files:',
      `  - { url: ${file}, sha512: ${sha512}, size: ${content.length} }`,
      `path: ${file}`,
      `sha512: ${sha512}`,
      `releaseDate: '2026-11-22T10:00:00.000Z'`,
      `releaseNotes: '<p>Calls start faster.</p>'`,
      ...(options.stagingPercentage === undefined ? [] : [`stagingPercentage: ${options.stagingPercentage}`]),
    ].join('\n'),
  );
}

function aLaptop({ isBusy = () => false, agrees = false }: { isBusy?: () => boolean; agrees?: boolean } = {}) {
  const dir = join(folder, `laptop-${run}`);
  mkdirSync(dir);
  const appUpdateConfigPath = join(dir, 'app-update.yml');
  writeFileSync(appUpdateConfigPath, `provider: generic\nurl: ${feedUrl}\nupdaterCacheDirName: parley-updater\n`);
  const updater = new AppImageUpdater(null, {
    version: '0.2.0',
    name: 'parley',
    isPackaged: true,
    appUpdateConfigPath,
    userDataPath: dir,
    baseCachePath: dir,
    whenReady: async () => undefined,
    relaunch: () => undefined,
    quit: () => undefined,
    onQuit: () => undefined,
  });
  Object.assign(updater, { httpExecutor: Object.assign(httpExecutor, { download: downloadToFile }) });
  updater.disableDifferentialDownload = true;
  const installed = vi.fn<(how: { isSilent: boolean; startsAgain: boolean }) => void>();
  // The updater itself would quit Electron after starting the installation.
  vi.spyOn(updater, 'install').mockImplementation((isSilent = false, startsAgain = false) => {
    installed({ isSilent, startsAgain });
    return false;
  });
  const asked: ReadyUpdate[] = [];
  const failures: string[] = [];
  const log = (_about: object, message: string): void => void failures.push(message);
  const updates = createUpdates({
    updater,
    logger: { info: log, warn: log, error: log },
    isBusy,
    ask: async (update) => {
      asked.push(update);
      return agrees;
    },
  });
  return {
    ...updates,
    asked,
    failures,
    installed,
    /** Checks for updates, and waits for the download that the check starts. */
    look: async () => {
      const result = await updater.checkForUpdates().catch(() => null);
      await result?.downloadPromise?.catch(() => undefined);
      await new Promise((resolve) => setImmediate(resolve));
    },
  };
}

describe('a release in the feed', () => {
  it('is downloaded quietly and offered with its notes as plain text', async () => {
    publish('0.3.0');
    const laptop = aLaptop({ agrees: true });
    await laptop.look();
    expect(laptop.asked).toEqual([{ version: '0.3.0', notes: 'Calls start faster.' }]);
    expect(laptop.installed).toHaveBeenCalledOnce();
  });

  it('is installed without the wizard of the Windows installer, and Parley starts again', async () => {
    publish('0.3.0');
    const laptop = aLaptop({ agrees: true });
    await laptop.look();
    expect(laptop.installed).toHaveBeenCalledExactlyOnceWith({ isSilent: true, startsAgain: true });
  });

  it('is not installed when it is damaged', async () => {
    publish('0.3.0', { damaged: true });
    const laptop = aLaptop({ agrees: true });
    await laptop.look();
    expect(laptop.asked).toEqual([]);
    expect(laptop.failures).toContain('update_failed');
    expect(laptop.installed).not.toHaveBeenCalled();
  });

  it('is left alone when it is older', async () => {
    publish('0.1.9');
    const laptop = aLaptop({ agrees: true });
    await laptop.look();
    expect(laptop.asked).toEqual([]);
    expect(laptop.failures).toEqual([]);
  });

  it('is offered to none in a stage of 0 % and to all in one of 100 %', async () => {
    publish('0.3.0', { stagingPercentage: 0 });
    const laptop = aLaptop();
    await laptop.look();
    expect(laptop.asked).toEqual([]);
    publish('0.3.0', { stagingPercentage: 100 });
    await laptop.look();
    expect(laptop.asked).toHaveLength(1);
  });

  it('waits for the end of a session', async () => {
    publish('0.3.0');
    let isBusy = true;
    const laptop = aLaptop({ agrees: true, isBusy: () => isBusy });
    await laptop.look();
    expect(laptop.asked).toEqual([]);
    isBusy = false;
    await laptop.askIfReady();
    expect(laptop.asked).toHaveLength(1);
    expect(laptop.installed).toHaveBeenCalledOnce();
  });
});

it('logs that the feed cannot be reached or is not a feed, and asks nothing', async () => {
  const laptop = aLaptop();
  writeFileSync(join(downloadsDir, 'latest-linux.yml'), '<h1>not a feed</h1>');
  await laptop.look();
  await laptop.check();
  expect(laptop.asked).toEqual([]);
  expect(laptop.failures).toEqual(['update_failed', 'update_failed']);
});

it('looks for updates at the address that the packager has left, but not for a .deb', () => {
  const resourcesDir = mkdtempSync(join(folder, 'resources-'));
  const looks = (isPackaged = true): boolean => hasUpdateLocation({ isPackaged, resourcesDir });
  expect(looks()).toBe(false);
  writeFileSync(join(resourcesDir, 'app-update.yml'), 'provider: generic');
  expect(looks()).toBe(true);
  expect(looks(false)).toBe(false);
  writeFileSync(join(resourcesDir, 'package-type'), 'deb');
  expect(looks()).toBe(false);
});
