/** The app window as the shell opens it for a learner, with its own profile and with no secret on its command line. */
import { chmod, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Browser, chromium, type Page } from 'playwright';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { type BrowserShell, findBrowser, startBrowserShell } from '../../../src/shell/browser/index.ts';

const RENDERER_DIR = fileURLToPath(new URL('../../../out/renderer/', import.meta.url));

let folder: string;
let dataDir: string;
let shell: BrowserShell | null = null;
let browser: Browser | null = null;

const start = () =>
  startBrowserShell({ dataDir, rendererDir: RENDERER_DIR, serverUrl: null, open: true, print: () => undefined });

/** Wraps the installed browser to add only what the test needs: headless mode and a debugging port. */
async function installBrowser(): Promise<string> {
  const installed = findBrowser({ platform: process.platform, environment: process.env });
  if (installed === null) throw new Error('No Chromium was found.');
  const wrapper = join(folder, 'chromium');
  await writeFile(wrapper, `#!/bin/sh\nexec '${installed}' --headless=new --remote-debugging-port=0 "$@"\n`);
  await chmod(wrapper, 0o755);
  return wrapper;
}

async function attach(): Promise<Browser> {
  const portFile = join(dataDir, 'browser', 'DevToolsActivePort');
  const port = await vi.waitFor(
    async () => {
      const [first, rest] = (await readFile(portFile, 'utf8')).split('\n');
      if (rest === undefined) throw new Error('Chromium has not written its debugging port yet.');
      return first;
    },
    { timeout: 30_000 },
  );
  return chromium.connectOverCDP(`http://127.0.0.1:${port}`);
}

const pagesOf = (attached: Browser): Page[] => attached.contexts().flatMap((context) => context.pages());

describe.skipIf(process.platform === 'win32')('the window', () => {
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'parley-window-'));
    dataDir = join(folder, 'data');
    vi.stubEnv('PARLEY_BROWSER', await installBrowser());
    vi.stubEnv('DISPLAY', ':0');
    shell = await start();
    browser = await attach();
  });
  afterAll(async () => {
    await browser?.close();
    await shell?.close();
    vi.unstubAllEnvs();
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  });

  it('shows the app and deletes the launch file', async () => {
    if (browser === null) throw new Error('The browser was not started.');
    await expect.poll(() => pagesOf(browser as Browser).length).toBe(1);
    const [page] = pagesOf(browser);
    await page?.getByRole('button', { name: 'Only on this computer' }).click();
    await page?.getByRole('heading', { name: 'Today' }).waitFor();
    expect(page?.url()).toMatch(/^http:\/\/127\.0\.0\.1:\d+\//);
    expect(await readdir(join(dataDir, 'open-window'))).toEqual([]);
  });

  it('survives a reload and cannot go back to the launch file', async () => {
    if (browser === null) throw new Error('The browser was not started.');
    const [page] = pagesOf(browser);
    await page?.reload();
    await page?.getByRole('heading', { name: 'Today' }).waitFor();
    expect(await page?.goBack()).toBeNull();
    await page?.getByRole('heading', { name: 'Today' }).waitFor();
  });
});
