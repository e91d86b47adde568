/** Starts the sync server in its own process, on an address that is known before the server answers. */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';

const HOST = '127.0.0.1';
const STOP_TIMEOUT_MS = 5_000;
/**
 * By default, the C library keeps a memory pool for each thread, which costs 20 MB here. Other systems ignore this
 * variable.
 */
const LOCAL_SERVER_ENVIRONMENT = { MALLOC_ARENA_MAX: '1' };

export interface LocalServer {
  address: string;
  stop: () => Promise<void>;
}

/** Returns without waiting for the server, because the app works offline and connects when the server is up. */
export async function startLocalServer(options: {
  rootDir: string;
  /** Remembers the picked port. */
  dataDir: string;
  server: { dataDir: string; port: number | undefined };
  say: (line: string) => void;
}): Promise<LocalServer> {
  const { rootDir, dataDir, server, say } = options;
  const port = server.port ?? (await reuseOrPickPort(dataDir));
  const address = `http://${HOST}:${port}`;
  const child = fork(join(rootDir, 'sync-server/src/main.ts'), {
    env: {
      ...process.env,
      ...LOCAL_SERVER_ENVIRONMENT,
      HOST,
      PORT: String(port),
      DATA_DIR: server.dataDir,
      LOG_LEVEL: process.env['LOG_LEVEL'] ?? 'warn',
    },
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  let isReady = false;
  child.on('message', () => {
    isReady = true;
    // Only now, because a second start whose server cannot use the data must not forget the port of the first.
    if (server.port === undefined) void writeFile(portFile(dataDir), String(port)).catch(() => undefined);
    say(`The sync server is ready: ${address}`);
  });
  let isStopping = false;
  child.on('exit', (code) => {
    if (!isStopping) say(`The sync server stopped (${code ?? 'killed'}). Everything is still saved on this computer.`);
  });
  return {
    address,
    stop: () => {
      isStopping = true;
      return stopChild(child, isReady);
    },
  };
}

async function stopChild(child: ChildProcess, isReady: boolean): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, 'exit');
  // The server shuts down when its parent disconnects. A signal would do that everywhere but on Windows, where it kills
  // the process; before the server is ready, it has nothing to finish.
  if (isReady && child.connected) child.disconnect();
  else child.kill();
  const timer = setTimeout(() => child.kill('SIGKILL'), STOP_TIMEOUT_MS);
  await exited;
  clearTimeout(timer);
}

const portFile = (dataDir: string): string => join(dataDir, 'server-port');

/** Reuses the port of the last start if it is free, so that other devices on the network keep their address. */
async function reuseOrPickPort(dataDir: string): Promise<number> {
  const remembered = Number(await readFile(portFile(dataDir), 'utf8').catch(() => ''));
  const isUsable = Number.isInteger(remembered) && remembered > 0 && (await isFree(remembered));
  return isUsable ? remembered : findFreePort();
}

const isFree = (port: number): Promise<boolean> =>
  probePort(port).then(
    () => true,
    () => false,
  );
const findFreePort = (): Promise<number> => probePort(0);

function probePort(port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once('error', reject);
    probe.listen(port, HOST, () => {
      const bound = probe.address();
      probe.close(() => resolve(typeof bound === 'object' && bound !== null ? bound.port : 0));
    });
  });
}
