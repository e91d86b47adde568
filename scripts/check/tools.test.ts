/** Plants one violation of each rule that a tool of `npm run check` enforces, and expects the tool to name it. */
import { mkdirSync, mkdtempSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, it } from 'vitest';
import { runNodeTool } from '../run-node-tool.ts';
import { DEAD_CODE, FORMAT, LINT, type Tool } from './tools.ts';

const rootDir = fileURLToPath(new URL('../..', import.meta.url));

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'parley-planted-'));
  symlinkSync(join(rootDir, 'node_modules'), join(folder, 'node_modules'), 'junction');
});

/** Runs a tool with our settings in a separate folder, in which each file has one violation. */
async function check(files: Record<string, string>, { args, ...tool }: Omit<Tool, 'name'>): Promise<string> {
  const dir = mkdtempSync(join(folder, 'files-'));
  symlinkSync(join(rootDir, 'node_modules'), join(dir, 'node_modules'), 'junction');
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(join(dir, name, '..'), { recursive: true });
    writeFileSync(join(dir, name), content);
  }
  const { code, output } = await runNodeTool({ ...tool, args, rootDir: dir, quiet: true });
  expect(code, output).not.toBe(0);
  return output;
}

const tsconfig = (extended: string, include: string): string =>
  JSON.stringify({
    extends: join(rootDir, extended),
    compilerOptions: { rootDir: '.', composite: false, noEmit: true, emitDeclarationOnly: false, declaration: false },
    include: [include],
    exclude: [],
    references: [],
  });

/** Split, because no file of ours may contain the type. */
const ANY = 'any';

describe('the linter', () => {
  const PLANTED: readonly (readonly [what: string, source: string, rule: string])[] = [
    [ANY, `export const parse = (text: string): ${ANY} => JSON.parse(text);\n`, 'no-explicit-any'],
    [
      'an ignored promise',
      'export const start = (work: () => Promise<void>): void => {\n  work();\n};\n',
      'no-floating-promises',
    ],
    ['a non-null assertion', 'export const first = (list: string[]): string => list[0]!;\n', 'no-non-null-assertion'],
  ];
  let output: string;
  beforeAll(async () => {
    const sources = Object.fromEntries(PLANTED.map(([, source], index) => [`planted-${index}.ts`, source]));
    const args = [...LINT.args, '-c', join(rootDir, '.oxlintrc.json'), ...Object.keys(sources)];
    const files = { ...sources, 'tsconfig.json': tsconfig('tsconfig.base.json', 'planted-*.ts') };
    output = await check(files, { packageName: LINT.packageName, args });
  });

  it.each(PLANTED)('rejects %s', (_what, _source, rule) => expect(output).toContain(rule));
});

describe('the compiler', () => {
  const HOST = 'desktop/tsconfig.host.json';
  const RENDERER = 'desktop/tsconfig.renderer.json';
  const PLANTED: readonly (readonly [what: string, project: string, source: string, message: string])[] = [
    ['the DOM in the host', HOST, 'export const title = document.title;', "Cannot find name 'document'"],
    ['the DOM on the server', 'sync-server/tsconfig.json', 'export const title = document.title;', "name 'document'"],
    ['Node in the renderer', RENDERER, "export { readFileSync } from 'node:fs';", "'node:fs'"],
    [
      'a global of Node in the panel',
      'sync-server/admin/tsconfig.json',
      'export const { argv } = process;',
      "'process'",
    ],
    ['an element that may be missing', HOST, 'export const first = (list: string[]): string => list[0];', 'undefined'],
    ['an unused variable', HOST, 'const left = 1;\nexport {};', "'left' is declared but"],
    [
      'a null that is not handled',
      HOST,
      'export const size = (text: string | null) => text.length;',
      "possibly 'null'",
    ],
  ];
  /** Starting the compiler takes most of the time, so it runs once per project. */
  const outputs = new Map<string, Promise<string>>();
  const compile = (project: string): Promise<string> => {
    const sources = PLANTED.flatMap(([, of, source], index) =>
      of === project ? [[`planted-${index}.ts`, source] as const] : [],
    );
    const files = { ...Object.fromEntries(sources), 'tsconfig.json': tsconfig(project, 'planted-*.ts') };
    return check(files, { packageName: 'typescript', command: 'tsc', args: ['-p', '.'] });
  };

  it.each(PLANTED)('rejects %s', async (what, project, _source, message) => {
    const output = outputs.get(project) ?? compile(project);
    outputs.set(project, output);
    const file = `planted-${PLANTED.findIndex(([each]) => each === what)}.ts`;
    const reported = (await output).split('\n').filter((line) => line.startsWith(file));
    expect(reported.join('\n')).toContain(message);
  });
});

it('the search for dead code rejects an export and a type that nothing imports', async () => {
  const { workspaces: _ours, ...settings } = JSON.parse(readFileSync(join(rootDir, 'knip.json'), 'utf8')) as {
    workspaces: unknown;
  };
  const files = {
    'package.json': JSON.stringify({ name: 'planted', type: 'module' }),
    'knip.json': JSON.stringify({ ...settings, entry: ['index.ts'], project: ['*.ts'] }),
    'index.ts': "import { used } from './parts.ts';\nconsole.log(used);\n",
    'parts.ts': 'export const used = 1;\nexport const forgotten = 2;\nexport type Unused = 3;\n',
  };
  const reported = await check(files, DEAD_CODE);
  expect(reported).toMatch(/forgotten.*parts\.ts/);
  expect(reported).toMatch(/Unused.*parts\.ts/);
});

it('the formatter rejects another style', async () => {
  const style = readFileSync(join(rootDir, '.prettierrc.json'), 'utf8');
  expect(await check({ '.prettierrc.json': style, 'planted.ts': 'const text = "double"\n' }, FORMAT)).toContain(
    'planted.ts',
  );
});
