/** Starts the server in its own process, as `npm run server` does, and can kill and restart it. */
import { type ChildProcess, execFile, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { z } from 'zod';
import { killProcess } from './process-pool.ts';

/** The server's code, run from its sources. */
const SOURCE = {
  main: new URL('../../../sync-server/src/main.ts', import.meta.url),
  preload: new URL('./preload-server.ts', import.meta.url),
};
const Ready = z.object({ type: z.literal('ready'), address: z.url() });
/** Generous, because a slow machine is not a failure of the server. */
const START_TIMEOUT_MS = 180_000;
const MAX_OUTPUT_CHARACTERS = 4_000;

/** A folder for PGlite, or the URL of a PostgreSQL database. */
export type ServerStorage = { DATA_DIR: string } | { DATABASE_URL: string };

export interface RunningServer {
  port: number;
  kill: () => Promise<void>;
  /** Shuts the server down cleanly. */
  stop: () => Promise<void>;
}

export interface ServerStarter {
  start: (place: ServerStorage) => Promise<RunningServer>;
  /** Starts a new epoch, as an operator does after a restore and before the start. */
  beginEpoch: (place: ServerStorage) => Promise<void>;
  close: () => Promise<void>;
}

export function openServerStarter(cacheDir: string, code: { main: URL; preload: URL } = SOURCE): ServerStarter {
  const main = fileURLToPath(code.main);
  const all = new Set<ChildProcess>();
  /** The next process loads its code while the current one serves. */
  let next: ChildProcess | null = null;
  const spawnPreloaded = (): ChildProcess => {
    const child = fork(main, {
      env: {
        ...process.env,
        NODE_ENV: 'test',
        NODE_COMPILE_CACHE: cacheDir,
        HOST: '127.0.0.1',
        PORT: '0',
        LOG_LEVEL: 'error',
      },
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
      // A killed server does not live long enough to gain from optimised WebAssembly.
      execArgv: ['--liftoff-only', '--import', code.preload.href],
    });
    all.add(child);
    child.on('exit', () => all.delete(child));
    return child;
  };
  return {
    start: async (place) => {
      const child = next ?? spawnPreloaded();
      next = spawnPreloaded();
      const port = await startOn(child, place);
      return {
        port,
        kill: () => killProcess(child),
        stop: async () => {
          const exited = once(child, 'exit');
          child.kill('SIGTERM');
          await exited;
        },
      };
    },
    beginEpoch: async (place) => {
      const env = { ...process.env, NODE_ENV: 'test', NODE_COMPILE_CACHE: cacheDir, LOG_LEVEL: 'error', ...place };
      await promisify(execFile)(process.execPath, [main, '--new-epoch'], { env, timeout: START_TIMEOUT_MS });
    },
    close: async () => {
      await Promise.all([...all].map(killProcess));
    },
  };
}

async function startOn(child: ChildProcess, place: ServerStorage): Promise<number> {
  let said = '';
  const appendOutput = (chunk: Buffer): void => {
    said = (said + chunk.toString()).slice(-MAX_OUTPUT_CHARACTERS);
  };
  child.stdout?.on('data', appendOutput);
  child.stderr?.on('data', appendOutput);
  const abort = new AbortController();
  const timer = setTimeout(() => abort.abort(), START_TIMEOUT_MS);
  const ended = (): void => abort.abort();
  child.once('exit', ended);
  try {
    child.send(place);
    const [ready]: unknown[] = await once(child, 'message', { signal: abort.signal });
    return Number(new URL(Ready.parse(ready).address).port);
  } catch (error) {
    throw new Error(`the server did not start: ${said}`, { cause: error });
  } finally {
    clearTimeout(timer);
    child.off('exit', ended);
  }
}
