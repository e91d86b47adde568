/** Measures the time from `npm start` to the first screen on a machine that has started Parley before. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright';

const ROOT_DIR = fileURLToPath(new URL('../../../', import.meta.url));
const START_TIMEOUT_MS = 120_000;

/** Returns milliseconds. */
export async function measureWarmStart(): Promise<number> {
  const dataDir = await mkdtemp(join(tmpdir(), 'parley-start-'));
  try {
    await timeStart(dataDir);
    return await timeStart(dataDir);
  } finally {
    await rm(dataDir, { recursive: true, force: true });
  }
}

async function timeStart(dataDir: string): Promise<number> {
  const startedAt = performance.now();
  const child = spawn('npm', ['start', '--silent', '--', '--no-open'], {
    cwd: ROOT_DIR,
    env: { ...process.env, PARLEY_DATA_DIR: dataDir },
    stdio: ['ignore', 'pipe', 'inherit'],
    detached: true,
  });
  try {
    const address = await readAddress(child);
    // A browser that is already warm shows the window, because only the app itself is measured.
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
    // A new installation asks where the work is kept; any other shows Today.
    await page.getByRole('heading', { level: 1 }).waitFor();
    const elapsedMs = performance.now() - startedAt;
    await browser.close();
    console.error(
      `  shown after ${Math.round(elapsedMs)} ms, of which the browser's own start took ${Math.round(browserMs)} ms`,
    );
    return elapsedMs;
  } finally {
    const exited = once(child, 'exit');
    if (child.pid !== undefined) process.kill(-child.pid, 'SIGTERM');
    await exited;
    // The server closes its database after npm has exited.
    await new Promise((resolve) => setTimeout(resolve, 1_500));
  }
}

function readAddress(child: ChildProcess): Promise<string> {
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
