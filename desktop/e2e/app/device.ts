/** One device of a test: a data folder, the browser shell, and a real Chromium with a fake microphone. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { type Browser, chromium, type Page } from 'playwright';
import { type BrowserShell, startBrowserShell } from '../../src/shell/browser/index.ts';
import { findTestBrowser } from './find-test-browser.ts';

const RENDERER_DIR = fileURLToPath(new URL('../../out/renderer/', import.meta.url));

/** An address where no server listens. */
export const DEAD_SERVER = 'http://127.0.0.1:9';

export interface Device {
  dataDir: string;
  /** Starts the app, or restarts it on the same folder. */
  start: (serverUrl: string | null) => Promise<void>;
  /** Opens the window with a microphone that plays this WAV. */
  open: (options?: OpenOptions) => Promise<Page>;
  stop: () => Promise<void>;
  remove: () => Promise<void>;
}

export interface OpenOptions {
  microphone?: Buffer;
  colorScheme?: 'light' | 'dark';
  /** Emulates Windows' contrast themes. */
  forcedColors?: 'active' | 'none';
  /** The system's language. */
  locale?: string;
  /** Chooses between several loudspeakers. */
  hasLoudspeakers?: boolean;
}

export interface DeviceOptions {
  /** Lets a test move to another day. */
  clock?: { now: () => Date };
  /** Shows the first question; on other devices, "only on this computer" has already been answered. */
  isNew?: boolean;
  /** The server that the build ships with. */
  defaultServerUrl?: string;
}

export async function createDevice({ clock, isNew = false, defaultServerUrl }: DeviceOptions = {}): Promise<Device> {
  const dataDir = await mkdtemp(join(tmpdir(), 'parley-e2e-'));
  if (!isNew) await writeFile(join(dataDir, 'profiles.json'), '{"current":"first","hasChosen":true}');
  let shell: BrowserShell | null = null;
  let browser: Browser | null = null;
  const stop = async (): Promise<void> => {
    await browser?.close();
    browser = null;
    await shell?.close();
    shell = null;
  };
  return {
    dataDir,
    start: async (serverUrl) => {
      await stop();
      shell = await startBrowserShell({
        dataDir,
        serverUrl,
        rendererDir: RENDERER_DIR,
        open: false,
        print: () => undefined,
        ...(clock === undefined ? {} : { clock }),
        ...(defaultServerUrl === undefined ? {} : { defaultServerUrl }),
      });
    },
    open: async ({
      microphone,
      colorScheme = 'light',
      forcedColors = 'none',
      locale = 'en-GB',
      hasLoudspeakers = false,
    } = {}) => {
      if (shell === null) throw new Error('The device has not been started: call start() first.');
      await browser?.close();
      const microphoneFile = join(dataDir, 'microphone.wav');
      if (microphone !== undefined) await writeFile(microphoneFile, microphone);
      browser = await launchBrowser(microphone === undefined ? null : microphoneFile, hasLoudspeakers);
      const context = await browser.newContext({
        viewport: { width: 1280, height: 860 },
        colorScheme,
        forcedColors,
        locale,
      });
      const page = await context.newPage();
      page.setDefaultTimeout(20_000);
      // Uses the same launch file as the app's own window.
      await page.goto(pathToFileURL(await shell.createWindowFile()).href);
      await page.waitForURL(/^http:\/\/127\.0\.0\.1:\d+\/[^/]+\/(#|$)/);
      return page;
    },
    stop,
    remove: async () => {
      await stop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

function launchBrowser(microphoneFile: string | null, hasLoudspeakers: boolean): Promise<Browser> {
  return chromium.launch({
    executablePath: findTestBrowser({ hasLoudspeakers }),
    args: [
      '--disable-background-networking',
      // Disables the GPU: tests have none, and emulating one in software costs a third of a core.
      '--disable-gpu',
      '--autoplay-policy=no-user-gesture-required',
      '--use-fake-device-for-media-stream',
      '--use-fake-ui-for-media-stream',
      ...(microphoneFile === null ? [] : [`--use-file-for-fake-audio-capture=${microphoneFile}%noloop`]),
      ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
    ],
  });
}
