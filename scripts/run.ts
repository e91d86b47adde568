/** Runs a program to its end and tells how it went. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';

export interface Run {
  program: string;
  args: readonly string[];
  cwd: string;
  environment?: Record<string, string>;
  /** Keep what it prints instead of showing it. */
  quiet?: boolean;
}

export async function run({
  program,
  args,
  cwd,
  environment = {},
  quiet = false,
}: Run): Promise<{ code: number; output: string }> {
  const child = spawn(program, args, {
    cwd,
    env: { ...process.env, ...environment },
    stdio: ['ignore', quiet ? 'pipe' : 'inherit', quiet ? 'pipe' : 'inherit'],
    shell: process.platform === 'win32',
  });
  let output = '';
  child.stdout?.on('data', (data: Buffer) => (output += data.toString()));
  child.stderr?.on('data', (data: Buffer) => (output += data.toString()));
  const [code] = (await once(child, 'close')) as [number | null];
  return { code: code ?? 1, output };
}
