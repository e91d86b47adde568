/** Starts the sync server in its own process, as `npm run server` does, on PGlite or PostgreSQL. */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import { Measured } from '../sync/messages.ts';

const MAIN = fileURLToPath(new URL('../../../sync-server/src/main.ts', import.meta.url));
const REPORT_CPU = new URL('./report-cpu.ts', import.meta.url).href;
const Ready = z.object({ type: z.literal('ready'), address: z.url() });

export interface ParleyServer {
  port: number;
  pid: number;
  cpuSeconds: () => Promise<number>;
  stop: () => Promise<void>;
}

export async function startParleyServer(environment: Record<string, string>): Promise<ParleyServer> {
  const child = fork(MAIN, {
    env: { ...process.env, NODE_ENV: 'test', HOST: '127.0.0.1', PORT: '0', LOG_LEVEL: 'silent', ...environment },
    execArgv: ['--import', REPORT_CPU],
  });
  const [ready]: unknown[] = await once(child, 'message');
  return {
    port: Number(new URL(Ready.parse(ready).address).port),
    pid: child.pid ?? 0,
    cpuSeconds: async () => {
      child.send('cpu?');
      const [measured]: unknown[] = await once(child, 'message');
      return Measured.parse(measured).cpuSeconds;
    },
    stop: async () => {
      // An attack may have ended it.
      if (!child.connected) return;
      const exited = once(child, 'exit');
      child.disconnect();
      await exited;
    },
  };
}
