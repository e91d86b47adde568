/**
 * Runs a command of an installed package. Its JavaScript file is started with this Node, because the commands in `node_modules/.bin` are
 * batch files on Windows, which only a shell can start.
 */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { type ProgramRun, runProgram } from './run-program.ts';

const PackageFile = z.object({ bin: z.union([z.string(), z.record(z.string(), z.string())]) });

export interface NodeToolRun extends Omit<ProgramRun, 'program' | 'cwd'> {
  packageName: string;
  /** The command, if its name differs from the package's. */
  command?: string;
  /** The folder with `node_modules`, in which the tool also runs. */
  rootDir: string;
}

export async function runNodeTool({
  packageName,
  command = packageName,
  rootDir,
  args,
  ...run
}: NodeToolRun): Promise<{ code: number; output: string }> {
  const packageDir = join(rootDir, 'node_modules', packageName);
  const { bin } = PackageFile.parse(JSON.parse(await readFile(join(packageDir, 'package.json'), 'utf8')));
  const entry = typeof bin === 'string' ? bin : bin[command];
  if (entry === undefined) throw new Error(`The package ${packageName} has no command "${command}".`);
  return runProgram({ ...run, program: process.execPath, args: [join(packageDir, entry), ...args], cwd: rootDir });
}
