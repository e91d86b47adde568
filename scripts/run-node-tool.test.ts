import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { runNodeTool } from './run-node-tool.ts';

/** Each of these has a meaning in a shell. */
const ARGS = ['two words', '$HOME', '%PATH%', '"quoted"', "it's", 'a&b', '*', ''];

let rootDir: string;
beforeAll(() => {
  rootDir = mkdtempSync(join(tmpdir(), 'parley with spaces & more '));
  const echo = 'process.stdout.write(JSON.stringify([process.cwd(), process.argv.slice(2)]));';
  installTool('one', { bin: './bin/one tool.cjs' }, echo);
  installTool('several', { bin: { first: 'first.cjs', second: './second.cjs' } }, echo);
  installTool('failing', { bin: { failing: 'fail.cjs' } }, 'console.error("broken"); process.exit(3);');
});

function installTool(name: string, { bin }: { bin: string | Record<string, string> }, source: string): void {
  const dir = join(rootDir, 'node_modules', name);
  mkdirSync(join(dir, 'bin'), { recursive: true });
  writeFileSync(join(dir, 'package.json'), JSON.stringify({ name, bin }));
  for (const file of typeof bin === 'string' ? [bin] : Object.values(bin)) writeFileSync(join(dir, file), source);
}

describe('a tool in a folder with spaces', () => {
  it.each([
    ['the only command of its package', { packageName: 'one' }],
    ['one of several commands', { packageName: 'several', command: 'second' }],
  ])('receives its arguments unchanged: %s', async (_which, tool) => {
    const { code, output } = await runNodeTool({ ...tool, rootDir, args: ARGS, quiet: true });
    const [cwd, args] = JSON.parse(output) as [string, string[]];
    expect({ code, args }).toEqual({ code: 0, args: ARGS });
    expect(cwd).toContain('parley with spaces & more ');
  });

  it('returns its exit code and its output', async () => {
    expect(await runNodeTool({ packageName: 'failing', rootDir, args: [], quiet: true })).toEqual({
      code: 3,
      output: 'broken\n',
    });
  });
});

it('a command that the package does not have is refused', async () => {
  await expect(runNodeTool({ packageName: 'several', command: 'third', rootDir, args: [] })).rejects.toThrow(
    'The package several has no command "third".',
  );
});
