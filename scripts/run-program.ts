/** Runs a program to its end and returns its exit code and output. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';

export interface ProgramRun {
  program: string;
  args: readonly string[];
  cwd: string;
  environment?: Record<string, string>;
  /** Captures the output instead of showing it. */
  quiet?: boolean;
}

/** Passes the arguments unchanged, without a shell, so that spaces and quotes in them are safe on every system. */
export async function runProgram({
  program,
  args,
  cwd,
  environment = {},
  quiet = false,
}: ProgramRun): Promise<{ code: number; output: string }> {
  const child = spawn(program, args, {
    cwd,
    env: { ...process.env, ...environment },
    stdio: ['ignore', quiet ? 'pipe' : 'inherit', quiet ? 'pipe' : 'inherit'],
  });
  let output = '';
  child.stdout?.on('data', (data: Buffer) => (output += data.toString()));
  child.stderr?.on('data', (data: Buffer) => (output += data.toString()));
  const [code] = (await once(child, 'close')) as [number | null];
  return { code: code ?? 1, output };
}
