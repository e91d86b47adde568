/** One device of a journey: a data folder, the browser shell on it, and a real Chromium with a real microphone path. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { type Browser, chromium, type Page } from 'playwright';
import { type BrowserShell, findBrowser, startBrowserShell } from '../../src/shell/browser/index.ts';

const RENDERER_DIR = fileURLToPath(new URL('../../out/renderer/', import.meta.url));

/** An address where nothing answers. */
export const DEAD_SERVER = 'http://127.0.0.1:9';

export interface Device {
  dataDir: string;
  /** Starts the app, or starts it again on the same folder. */
  start: (serverUrl: string | null) => Promise<void>;
  /** Opens the window with a microphone that hears this WAV. */
  open: (options?: OpenOptions) => Promise<Page>;
  stop: () => Promise<void>;
  remove: () => Promise<void>;
}

export interface OpenOptions {
  microphone?: Buffer;
  colorScheme?: 'light' | 'dark';
}

export async function createDevice(): Promise<Device> {
  const dataDir = await mkdtemp(join(tmpdir(), 'parley-e2e-'));
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
        say: () => undefined,
      });
    },
    open: async ({ microphone, colorScheme = 'light' } = {}) => {
      if (shell === null) throw new Error('the device is not started');
      await browser?.close();
      const heard = join(dataDir, 'microphone.wav');
      if (microphone !== undefined) await writeFile(heard, microphone);
      browser = await launchBrowser(microphone === undefined ? null : heard);
      const context = await browser.newContext({ viewport: { width: 1280, height: 860 }, colorScheme });
      const page = await context.newPage();
      page.setDefaultTimeout(20_000);
      // As the app window does it: by the file that leads a browser in.
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

function launchBrowser(microphoneFile: string | null): Promise<Browser> {
  const executablePath = findBrowser({ platform: process.platform, environment: process.env });
  if (executablePath === null)
    throw new Error('No Chromium was found. Install one (Debian: apt-get install chromium), or set PARLEY_BROWSER.');
  return chromium.launch({
    executablePath,
    args: [
      '--disable-background-networking',
      '--autoplay-policy=no-user-gesture-required',
      '--use-fake-device-for-media-stream',
      '--use-fake-ui-for-media-stream',
      ...(microphoneFile === null ? [] : [`--use-file-for-fake-audio-capture=${microphoneFile}%noloop`]),
      ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
    ],
  });
}
