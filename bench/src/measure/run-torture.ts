/** Runs the torture command and parses its last line. */
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const MAIN = fileURLToPath(new URL('../torture/main.ts', import.meta.url));
const LAST_LINE = /^(\d+) passed, (\d+) failed$/;

/** Failed runs are counted, not thrown. Throws when the command itself failed. */
export async function runTorture(args: readonly string[]): Promise<{ passed: number; failed: number }> {
  const output = await new Promise<string>((resolve) => {
    execFile(process.execPath, [MAIN, ...args], { maxBuffer: 64 * 1024 * 1024 }, (_error, stdout, stderr) =>
      resolve(`${stderr}\n${stdout}`),
    );
  });
  const line = LAST_LINE.exec(output.trimEnd().split('\n').at(-1) ?? '');
  if (line === null) throw new Error(`the torture run did not finish: ${output.trim().split('\n').at(-1) ?? ''}`);
  return { passed: Number(line[1]), failed: Number(line[2]) };
}
