import { fork } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, mkdtempSync, openSync, rmSync } from 'node:fs';
import { cp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it, onTestFinished } from 'vitest';
import { ensureServerTemplate } from '../../../test-kit/server-folder.ts';

const MAIN = fileURLToPath(new URL('../../main.ts', import.meta.url));
/** A device that reports a full disk on every write. */
const FULL_DISK = '/dev/full';

it.skipIf(process.platform !== 'linux')(
  'keeps a server working whose log is on a full disk, and lets it stop',
  { tags: ['slow'], timeout: 120_000 },
  async () => {
    const dataDir = mkdtempSync(join(tmpdir(), 'parley-log-'));
    await cp(await ensureServerTemplate(), dataDir, { recursive: true });
    const fullDisk = openSync(FULL_DISK, 'w');
    const child = fork(MAIN, ['start'], {
      env: {
        PATH: process.env['PATH'],
        NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'],
        NODE_OPTIONS: process.env['NODE_OPTIONS'],
        NODE_ENV: 'test',
        PORT: '0',
        DATA_DIR: dataDir,
      },
      stdio: ['ignore', fullDisk, 'inherit', 'ipc'],
      execArgv: [],
    });
    onTestFinished(() => {
      child.kill('SIGKILL');
      for (const path of [dataDir, `${dataDir}.restore-marker.json`]) rmSync(path, { recursive: true, force: true });
    });
    closeSync(fullDisk);
    const [{ address }] = (await once(child, 'message')) as [{ address: string }];
    for (const path of ['livez', 'v1/account']) await fetch(`${address}/${path}`);
    expect((await fetch(`${address}/livez`)).status).toBe(200);
    const exited = once(child, 'exit');
    child.kill('SIGTERM');
    expect(await exited).toEqual([0, null]);
  },
);
