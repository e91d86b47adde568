/** Forks a module into its own process and keeps the end of its output for failure messages. */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

const MAX_OUTPUT_CHARACTERS = 4_000;

export interface ForkedChild {
  child: ChildProcess;
  /** The last characters that the process wrote to stdout and stderr. */
  output: () => string;
}

export function forkChild(module: URL, environment: Record<string, string>): ForkedChild {
  const child = fork(fileURLToPath(module), {
    env: { ...process.env, NODE_NO_WARNINGS: '1', ...environment },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    // Options of this process, such as a debugger port, must not reach its children.
    execArgv: [],
  });
  let said = '';
  const appendOutput = (chunk: Buffer): void => {
    said = (said + chunk.toString()).slice(-MAX_OUTPUT_CHARACTERS);
  };
  child.stdout?.on('data', appendOutput);
  child.stderr?.on('data', appendOutput);
  return { child, output: () => said };
}

/** Kills the process and resolves when it has exited. */
export async function killProcess(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, 'exit');
  child.kill('SIGKILL');
  await exited;
}
