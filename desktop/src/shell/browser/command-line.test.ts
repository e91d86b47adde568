import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { startBrowserShell } from './index.ts';

const folder = mkdtempSync(join(tmpdir(), 'parley-command-line-'));
const dataDir = join(folder, 'data');
const written = join(folder, 'arguments');

/** A fake browser that opens no window and writes its arguments to a file. */
const BROWSER = `#!/bin/sh
printf '%s\\n' "$@" > '${written}.new'
mv '${written}.new' '${written}'
exec sleep 600
`;

const start = () =>
  startBrowserShell({ dataDir, rendererDir: folder, serverUrl: null, open: true, print: () => undefined });

async function commandLine(): Promise<string[]> {
  await expect.poll(() => existsSync(written)).toBe(true);
  const words = readFileSync(written, 'utf8').trim().split('\n');
  rmSync(written);
  return words;
}

const pageOf = (words: readonly string[]): string =>
  words.find((word) => word.startsWith('--app='))?.slice('--app='.length) ?? 'no page';

/** Any program on this computer can request an address that it has read on a command line. */
async function letsIn(address: string): Promise<boolean> {
  const response = await fetch(address);
  return response.headers.has('set-cookie');
}

describe.skipIf(process.platform === 'win32')('the command line of the browser', () => {
  beforeEach(() => {
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, 'browser'), BROWSER);
    chmodSync(join(folder, 'browser'), 0o755);
    vi.stubEnv('PARLEY_BROWSER', join(folder, 'browser'));
    vi.stubEnv('DISPLAY', ':0');
  });
  afterEach(() => {
    vi.unstubAllEnvs();
    rmSync(folder, { recursive: true, force: true });
  });

  it('contains nothing that grants access', async () => {
    const shell = await start();
    const words = await commandLine();
    const addresses = words.flatMap((word) => /https?:\S+/.exec(word)?.[0] ?? []);
    expect(await Promise.all(addresses.map(letsIn))).not.toContain(true);

    const file = fileURLToPath(pageOf(words));
    expect([file, dirname(file)].map((path) => (statSync(path).mode & 0o777).toString(8))).toEqual(['600', '700']);
    const address = /url=(http:[^"]+)"/.exec(readFileSync(file, 'utf8'))?.[1] ?? 'no address';
    expect(words.join(' ')).not.toContain(address.slice(address.lastIndexOf('/') + 1));
    expect(await letsIn(address)).toBe(true);
    expect(existsSync(file)).toBe(false);
    await shell?.close();
  });

  it('of a second start contains nothing that grants access', async () => {
    const shell = await start();
    await commandLine();
    expect(await start()).toBeNull();
    const file = fileURLToPath(pageOf(await commandLine()));
    const address = /url=(http:[^"]+)"/.exec(readFileSync(file, 'utf8'))?.[1] ?? 'no address';
    expect(await letsIn(address)).toBe(true);
    expect(existsSync(file)).toBe(false);
    await shell?.close();
  });

  it('names only files that a Snap can use, when the browser is one', async () => {
    mkdirSync(join(folder, 'bin'));
    writeFileSync(join(folder, 'bin/snap'), BROWSER);
    chmodSync(join(folder, 'bin/snap'), 0o755);
    symlinkSync('snap', join(folder, 'bin/chromium'));
    vi.stubEnv('PARLEY_BROWSER', join(folder, 'bin/chromium'));
    vi.stubEnv('HOME', folder);
    const shell = await start();
    const first = await commandLine();
    await start();
    for (const words of [first, await commandLine()]) {
      const profile = words.find((word) => word.startsWith('--user-data-dir='))?.slice('--user-data-dir='.length);
      const file = fileURLToPath(pageOf(words));
      for (const path of [profile, file]) expect(path).toContain(join(folder, 'snap/chromium/common/parley/'));
      expect(existsSync(file)).toBe(true);
    }
    await shell?.close();
  });

  it('leaves no file when the app ends before its browser arrives', async () => {
    const shell = await start();
    const file = fileURLToPath(pageOf(await commandLine()));
    expect(existsSync(file)).toBe(true);
    await shell?.close();
    expect(existsSync(file)).toBe(false);
  });
});
