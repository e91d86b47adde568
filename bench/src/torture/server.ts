/** The server as `npm run server` starts it, on one database; killed and started again at will. */
import { type ChildProcess, execFile, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { z } from 'zod';
import { endProcess } from './process-pool.ts';

const MAIN = fileURLToPath(new URL('../../../sync-server/src/main.ts', import.meta.url));
const WAIT_FOR_PLACE = new URL('./server-place.ts', import.meta.url).href;
const Ready = z.object({ type: z.literal('ready'), address: z.url() });
const START_TIMEOUT_MS = 60_000;
const QUOTED_CHARACTERS = 4_000;

/** A folder for PGlite, or the address of a PostgreSQL database. */
export type ServerPlace = { DATA_DIR: string } | { DATABASE_URL: string };

export interface RunningServer {
  port: number;
  kill: () => Promise<void>;
  /** In good order. */
  stop: () => Promise<void>;
}

export interface ServerStarter {
  start: (place: ServerPlace) => Promise<RunningServer>;
  /** As an operator does after a restore, before the server is started. */
  beginEpoch: (place: ServerPlace) => Promise<void>;
  close: () => Promise<void>;
}

export function openServerStarter(cacheDir: string): ServerStarter {
  const all = new Set<ChildProcess>();
  /** Its code is loaded while the last one still works. */
  let next: ChildProcess | null = null;
  const prepare = (): ChildProcess => {
    const child = fork(MAIN, {
      env: {
        ...process.env,
        NODE_ENV: 'test',
        NODE_COMPILE_CACHE: cacheDir,
        HOST: '127.0.0.1',
        PORT: '0',
        LOG_LEVEL: 'error',
      },
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
      execArgv: ['--import', WAIT_FOR_PLACE],
    });
    all.add(child);
    child.on('exit', () => all.delete(child));
    return child;
  };
  return {
    start: async (place) => {
      const child = next ?? prepare();
      next = prepare();
      const port = await startIn(child, place);
      return {
        port,
        kill: () => endProcess(child),
        stop: async () => {
          const exited = once(child, 'exit');
          child.kill('SIGTERM');
          await exited;
        },
      };
    },
    beginEpoch: async (place) => {
      const env = { ...process.env, NODE_ENV: 'test', NODE_COMPILE_CACHE: cacheDir, LOG_LEVEL: 'error', ...place };
      await promisify(execFile)(process.execPath, [MAIN, '--new-epoch'], { env, timeout: START_TIMEOUT_MS });
    },
    close: async () => {
      await Promise.all([...all].map(endProcess));
    },
  };
}

async function startIn(child: ChildProcess, place: ServerPlace): Promise<number> {
  let said = '';
  const keep = (chunk: Buffer): void => {
    said = (said + chunk.toString()).slice(-QUOTED_CHARACTERS);
  };
  child.stdout?.on('data', keep);
  child.stderr?.on('data', keep);
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
