/** From `npm start` to a window that shows its first screen, on a machine that has started Parley before. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright';

const ROOT_DIR = fileURLToPath(new URL('../../../', import.meta.url));
const START_TIMEOUT_MS = 120_000;

/** Milliseconds. */
export async function measureSecondStart(): Promise<number> {
  const dataDir = await mkdtemp(join(tmpdir(), 'parley-start-'));
  try {
    await startOnce(dataDir);
    return await startOnce(dataDir);
  } finally {
    await rm(dataDir, { recursive: true, force: true });
  }
}

async function startOnce(dataDir: string): Promise<number> {
  const startedAt = performance.now();
  const child = spawn('npm', ['start', '--silent', '--', '--no-open'], {
    cwd: ROOT_DIR,
    env: { ...process.env, PARLEY_DATA_DIR: dataDir },
    stdio: ['ignore', 'pipe', 'inherit'],
    detached: true,
  });
  try {
    const address = await addressOf(child);
    // What opens the window is not ours; what it shows is: a browser that is already warm takes its place.
    const browserStartedAt = performance.now();
    const browser = await chromium.launch({
      ...(process.env['PARLEY_BROWSER'] === undefined
        ? { executablePath: '/usr/bin/chromium' }
        : { executablePath: process.env['PARLEY_BROWSER'] }),
      args: process.getuid?.() === 0 ? ['--no-sandbox'] : [],
    });
    const page = await browser.newPage();
    const browserMs = performance.now() - browserStartedAt;
    await page.goto(address);
    await page.getByRole('heading', { name: 'Today' }).waitFor();
    const shownMs = performance.now() - startedAt;
    await browser.close();
    console.error(
      `  shown after ${Math.round(shownMs)} ms, of which the browser's own start took ${Math.round(browserMs)} ms`,
    );
    return shownMs;
  } finally {
    const exited = once(child, 'exit');
    if (child.pid !== undefined) process.kill(-child.pid, 'SIGTERM');
    await exited;
    // The server closes its database after npm is gone.
    await new Promise((resolve) => setTimeout(resolve, 1_500));
  }
}

function addressOf(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error('no address was printed in time')), START_TIMEOUT_MS);
    let printed = '';
    child.stdout?.on('data', (data: Buffer) => {
      printed += data.toString();
      const address = /Parley is ready: (http:\S+)/.exec(printed)?.[1];
      if (address === undefined) return;
      clearTimeout(timer);
      resolve(address);
    });
  });
}
