/** Another user of the computer reads what host and server write, where nothing but the programs themselves keeps it private. */
import { chmod, lstat, mkdir, readdir } from 'node:fs/promises';
import { once } from 'node:events';
import { join } from 'node:path';
import { forkChild } from '../../forked-child.ts';
import { startParleyServer } from '../../sync/contestants/parley/start-server.ts';
import type { OwnAttack } from '../attack.ts';
import { call } from '../call.ts';
import { withFolder } from '../folder.ts';

const OTHERS = 0o077;
const FEWEST_FILES = 500;

export const readableFiles: OwnAttack = {
  name: 'Files of host and server that other users may access, after a run with umask 0 in folders that were open to all (777)',
  before: 'database, recordings and exports among them',
  target: '0',
  run: () =>
    withFolder(async (dir) => {
      const [hostDir, serverDir] = [join(dir, 'host'), join(dir, 'server')];
      for (const folder of [hostDir, serverDir]) {
        await mkdir(folder);
        await chmod(folder, 0o777);
      }
      const former = process.umask(0);
      try {
        await runHost(hostDir);
        await runServer(serverDir);
      } finally {
        process.umask(former);
      }
      const modes = await modesIn(dir);
      const open = modes.filter((mode) => (mode & OTHERS) !== 0).length;
      return { after: `${open} of ${modes.length}`, holds: open === 0 && modes.length > FEWEST_FILES };
    }),
};

async function runHost(dataDir: string): Promise<void> {
  const module = new URL('../processes/host.ts', import.meta.url);
  const { child, said } = forkChild(module, { PARLEY_DATA_DIR: dataDir });
  const [code]: unknown[] = await once(child, 'exit');
  if (code !== 0) throw new Error(`the host ended with ${String(code)}: ${said()}`);
}

async function runServer(dataDir: string): Promise<void> {
  const server = await startParleyServer({ NODE_ENV: 'development', DATA_DIR: dataDir });
  await call(server, { path: '/sign-in' });
  await server.stop();
}

async function modesIn(dir: string): Promise<number[]> {
  const names = await readdir(dir, { recursive: true });
  return Promise.all(names.map(async (name) => (await lstat(join(dir, name))).mode));
}
