/** Another user of the computer reads files of host and server. With umask 0, only the programs themselves protect them. */
import { chmod, lstat, mkdir, readdir } from 'node:fs/promises';
import { once } from 'node:events';
import { join } from 'node:path';
import { forkChild } from '../../processes/fork-child.ts';
import { startParleyServer } from '../../processes/start-parley-server.ts';
import type { StandaloneAttack } from '../attack.ts';
import { sendRequest } from '../http-request.ts';
import { withTemporaryFolder } from '../temporary-folder.ts';

const OTHER_USERS_MASK = 0o077;
const MIN_FILES = 500;

export const worldReadableFiles: StandaloneAttack = {
  name: 'Files of host and server that other users can access, after a run with umask 0 in folders open to all (777)',
  before: 'database, recordings and exports among them',
  target: '0',
  run: () =>
    withTemporaryFolder(async (dir) => {
      const [hostDir, serverDir] = [join(dir, 'host'), join(dir, 'server')];
      for (const folder of [hostDir, serverDir]) {
        await mkdir(folder);
        await chmod(folder, 0o777);
      }
      const previousUmask = process.umask(0);
      try {
        await runHost(hostDir);
        await runServer(serverDir);
      } finally {
        process.umask(previousUmask);
      }
      const modes = await readModes(dir);
      const open = modes.filter((mode) => (mode & OTHER_USERS_MASK) !== 0).length;
      return { after: `${open} of ${modes.length}`, holds: open === 0 && modes.length > MIN_FILES };
    }),
};

async function runHost(dataDir: string): Promise<void> {
  const module = new URL('../processes/host.ts', import.meta.url);
  const { child, output } = forkChild(module, { PARLEY_DATA_DIR: dataDir });
  const [code]: unknown[] = await once(child, 'exit');
  if (code !== 0) throw new Error(`the host ended with ${String(code)}: ${output()}`);
}

async function runServer(dataDir: string): Promise<void> {
  const server = await startParleyServer({ NODE_ENV: 'development', DATA_DIR: dataDir });
  await sendRequest(server, { path: '/sign-in' });
  await server.stop();
}

async function readModes(dir: string): Promise<number[]> {
  const names = await readdir(dir, { recursive: true });
  return Promise.all(names.map(async (name) => (await lstat(join(dir, name))).mode));
}
