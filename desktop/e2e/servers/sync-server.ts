/** Starts a sync server in its own process with its own database. */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { createServerFolder } from '@parley/sync-server/test-kit/server-folder';
import { z } from 'zod';

const MAIN = fileURLToPath(new URL('../../../sync-server/src/main.ts', import.meta.url));
const Ready = z.object({ type: z.literal('ready'), address: z.url() });

export interface RunningServer {
  address: string;
  stop: () => Promise<void>;
}

/** `environment` overrides the default configuration. */
export async function startSyncServer(environment: Record<string, string> = {}): Promise<RunningServer> {
  const folder = await createServerFolder();
  const child: ChildProcess = fork(MAIN, {
    env: {
      ...process.env,
      NODE_ENV: 'test',
      HOST: '127.0.0.1',
      PORT: '0',
      DATA_DIR: folder.dir,
      LOG_LEVEL: 'error',
      ...environment,
    },
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  const [message] = await Promise.race([
    once(child, 'message'),
    once(child, 'exit').then(() => Promise.reject(new Error('The sync server exited before it was ready.'))),
  ]);
  const { address } = Ready.parse(message);
  return {
    address,
    stop: async () => {
      const exited = once(child, 'exit');
      child.disconnect();
      await exited;
      await folder.remove();
    },
  };
}
