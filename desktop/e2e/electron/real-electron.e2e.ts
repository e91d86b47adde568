/**
 * Starts the built app in the real Electron. It runs on the three systems of `.github/workflows/ci.yml`; elsewhere the runtime is rarely
 * installed, and the tests of `src/shell/electron` run the same main process against a fake.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { _electron, type ElectronApplication } from 'playwright';
import { afterEach, beforeEach, expect, it } from 'vitest';

const DESKTOP_DIR = fileURLToPath(new URL('../..', import.meta.url));

let dataDir: string;
let app: ElectronApplication | null = null;

async function start(): Promise<ElectronApplication> {
  const environment = Object.entries(process.env).filter((entry): entry is [string, string] => entry[1] !== undefined);
  const sandbox = process.platform === 'linux' && process.getuid?.() === 0 ? ['--no-sandbox'] : [];
  app = await _electron.launch({
    args: [...sandbox, DESKTOP_DIR],
    env: { ...Object.fromEntries(environment), PARLEY_DATA_DIR: dataDir },
  });
  return app;
}

beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'parley-electron-'));
});
afterEach(async () => {
  await app?.close();
  app = null;
  await rm(dataDir, { recursive: true, force: true, maxRetries: 5 });
});

it('opens its window, reaches the host and restarts on the same data', async () => {
  const first = await (await start()).firstWindow();
  await first.getByRole('button', { name: 'Only on this computer' }).click();
  await first.getByRole('heading', { name: 'Today' }).waitFor();
  expect(await first.evaluate(() => typeof globalThis.process)).toBe('undefined');
  await first.getByRole('link', { name: 'Practise', exact: true }).click();
  await first.getByRole('link', { name: /Explain a delay to a client/ }).click();
  await first.getByRole('heading', { name: 'Explain a delay to a client' }).waitFor();
  await app?.close();
  const second = await (await start()).firstWindow();
  await second.getByRole('heading', { name: 'Today' }).waitFor();
});
