import { fork } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { chmodSync, lstatSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, it } from 'vitest';

const root = join(tmpdir(), `parley-server-files-${randomUUID()}`);
const dataDir = join(root, 'data');
const MAIN = fileURLToPath(new URL('./main.ts', import.meta.url));

/** Lists files and folders that other users can access, with their modes. */
const openToOthers = (): string[] =>
  readdirSync(root, { recursive: true, encoding: 'utf8' })
    .map((name) => `${name} ${(lstatSync(join(root, name)).mode & 0o777).toString(8)}`)
    .filter((line) => !line.endsWith('00'));

/** Starts the server with umask 0, requests a page, and stops it with SIGTERM. */
async function runServer(): Promise<void> {
  const former = process.umask(0);
  const child = fork(MAIN, {
    env: { ...process.env, NODE_ENV: 'development', PORT: '0', DATA_DIR: dataDir, LOG_LEVEL: 'silent' },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  process.umask(former);
  const [{ address }] = (await once(child, 'message')) as [{ address: string }];
  const page = await fetch(`${address}/sign-in`);
  expect(page.status).toBe(200);
  child.kill('SIGTERM');
  await once(child, 'exit');
}

describe.skipIf(process.platform === 'win32')('the files of a server', { tags: ['slow'] }, () => {
  // If these tests do not run, nothing deletes the folder, so nothing may create it.
  beforeAll(() => {
    mkdirSync(root, { mode: 0o700 });
  });

  it('are private to their owner, including the embedded database', async () => {
    mkdirSync(dataDir);
    chmodSync(dataDir, 0o777);
    await runServer();
    const names = readdirSync(root, { recursive: true, encoding: 'utf8' });
    expect(names).toEqual(
      expect.arrayContaining(['data/secret', 'data/postgres/PG_VERSION', 'data/stripe', 'data.restore-marker.json']),
    );
    expect(names.length).toBeGreaterThan(500);
    expect(openToOthers()).toEqual([]);
  });

  it('left open by an earlier version are made private at start', async () => {
    for (const name of readdirSync(root, { recursive: true, encoding: 'utf8' })) {
      const path = join(root, name);
      chmodSync(path, lstatSync(path).isDirectory() ? 0o755 : 0o644);
    }
    mkdirSync(join(dataDir, 'outbox'), { recursive: true });
    writeFileSync(join(dataDir, 'outbox', 'old.eml'), 'a code');
    chmodSync(join(dataDir, 'outbox', 'old.eml'), 0o644);
    await runServer();
    expect(openToOthers()).toEqual([]);
  });
});
