/** The sync server beside the app, as a process of its own on an address that is known before it answers. */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';

const HOST = '127.0.0.1';
const STOP_TIMEOUT_MS = 5_000;

export interface LocalServer {
  address: string;
  stop: () => Promise<void>;
}

/** Does not wait for the server: the app works without it, and finds it when it is there. */
export async function startLocalServer(options: {
  rootDir: string;
  dataDir: string;
  say: (line: string) => void;
}): Promise<LocalServer> {
  const { rootDir, dataDir, say } = options;
  const port = await rememberedPort(dataDir);
  const address = `http://${HOST}:${port}`;
  const child = fork(join(rootDir, 'sync-server/src/main.ts'), {
    env: {
      ...process.env,
      HOST,
      PORT: String(port),
      DATA_DIR: join(dataDir, 'server'),
      LOG_LEVEL: process.env['LOG_LEVEL'] ?? 'warn',
    },
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  child.on('message', () => say(`The sync server is ready: ${address}`));
  let isStopping = false;
  child.on('exit', (code) => {
    if (!isStopping) say(`The sync server stopped (${code ?? 'killed'}). Everything is still saved on this computer.`);
  });
  return {
    address,
    stop: () => {
      isStopping = true;
      return stopChild(child);
    },
  };
}

async function stopChild(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, 'exit');
  child.kill('SIGTERM');
  const timer = setTimeout(() => child.kill('SIGKILL'), STOP_TIMEOUT_MS);
  await exited;
  clearTimeout(timer);
}

/** The same port at every start where it is free, so that other devices of the network keep their address. */
async function rememberedPort(dataDir: string): Promise<number> {
  const file = join(dataDir, 'server-port');
  const remembered = Number(await readFile(file, 'utf8').catch(() => ''));
  if (Number.isInteger(remembered) && remembered > 0 && (await isFree(remembered))) return remembered;
  const port = await freePort();
  await writeFile(file, String(port));
  return port;
}

const isFree = (port: number): Promise<boolean> =>
  listenOnce(port).then(
    () => true,
    () => false,
  );
const freePort = (): Promise<number> => listenOnce(0);

function listenOnce(port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once('error', reject);
    probe.listen(port, HOST, () => {
      const bound = probe.address();
      probe.close(() => resolve(typeof bound === 'object' && bound !== null ? bound.port : 0));
    });
  });
}
