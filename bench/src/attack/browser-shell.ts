/** Starts a browser shell as an attack target, in its own process with its own data folder. */
import { once } from 'node:events';
import { z } from 'zod';
import { killProcess, forkChild } from '../processes/fork-child.ts';

const Ready = z.object({ type: z.literal('ready'), origin: z.url(), address: z.url() });

export interface Shell {
  pid: number;
  port: number;
  /** A one-time address that admits one browser. */
  address: string;
  stop: () => Promise<void>;
}

export async function startShell(dataDir: string, environment: Record<string, string> = {}): Promise<Shell> {
  const module = new URL('./processes/shell.ts', import.meta.url);
  const { child, output } = forkChild(module, { PARLEY_DATA_DIR: dataDir, ...environment });
  const ready = await Promise.race([
    once(child, 'message').then(([message]: unknown[]) => message),
    once(child, 'exit').then(() => null),
  ]);
  if (ready === null) throw new Error(`the browser shell did not start: ${output()}`);
  const { origin, address } = Ready.parse(ready);
  return {
    pid: child.pid ?? 0,
    port: Number(new URL(origin).port),
    address,
    stop: async () => {
      const exited = once(child, 'exit');
      child.kill('SIGTERM');
      await exited;
      await killProcess(child);
    },
  };
}
