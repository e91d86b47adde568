/** The window itself, opened by the shell as a learner's is: Chromium, its own profile, and a command line that says nothing. */
import { chmod, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Browser, chromium, type Page } from 'playwright';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { type BrowserShell, findBrowser, startBrowserShell } from '../src/shell/browser/index.ts';

const RENDERER_DIR = fileURLToPath(new URL('../out/renderer/', import.meta.url));

let folder: string;
let dataDir: string;
let shell: BrowserShell | null = null;
let browser: Browser | null = null;

const start = () =>
  startBrowserShell({ dataDir, rendererDir: RENDERER_DIR, serverUrl: null, open: true, say: () => undefined });

/** The shell starts it with the words that it starts every browser with; only a display and a way in for the test are added. */
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
      if (rest === undefined) throw new Error('Chromium has not written its port yet');
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

  it('shows the app, and the file that led it there is gone', async () => {
    if (browser === null) throw new Error('no browser');
    await expect.poll(() => pagesOf(browser as Browser).length).toBe(1);
    const [page] = pagesOf(browser);
    await page?.getByRole('heading', { name: 'Today' }).waitFor();
    expect(page?.url()).toMatch(/^http:\/\/127\.0\.0\.1:\d+\//);
    expect(await readdir(join(dataDir, 'open-window'))).toEqual([]);
  });

  it('stays open to a reload, and has no step back to the file', async () => {
    if (browser === null) throw new Error('no browser');
    const [page] = pagesOf(browser);
    await page?.reload();
    await page?.getByRole('heading', { name: 'Today' }).waitFor();
    expect(await page?.goBack()).toBeNull();
    await page?.getByRole('heading', { name: 'Today' }).waitFor();
  });
});
