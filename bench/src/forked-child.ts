/** A module in a process of its own, spoken to over IPC, whose last words are kept for whoever reports its failure. */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

const QUOTED_CHARACTERS = 4_000;

export interface ForkedChild {
  child: ChildProcess;
  /** The end of what it wrote to stdout and stderr. */
  said: () => string;
}

export function forkChild(module: URL, environment: Record<string, string>): ForkedChild {
  const child = fork(fileURLToPath(module), {
    env: { ...process.env, NODE_NO_WARNINGS: '1', ...environment },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    // What this process was started with, such as a debugger's port, is not for its children.
    execArgv: [],
  });
  let said = '';
  const keep = (chunk: Buffer): void => {
    said = (said + chunk.toString()).slice(-QUOTED_CHARACTERS);
  };
  child.stdout?.on('data', keep);
  child.stderr?.on('data', keep);
  return { child, said: () => said };
}

/** By force; resolves when it is gone. */
export async function endProcess(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, 'exit');
  child.kill('SIGKILL');
  await exited;
}
