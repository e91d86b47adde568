/** Things that must never be committed: paths of somebody's machine, hosts of a registry, escapes from the type system. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { run } from './run.ts';

const MACHINE_PATH = /(^|[^.\w/])\/(root|home|work)\/\w/;
const REGISTRY = /"resolved": "https?:/;
const ESCAPE = /@ts-ignore|@ts-nocheck|\bas any\b|:\s*any\s*[;,)=\]>|}]|<any>/;

export async function findStrays(rootDir: string): Promise<string[]> {
  const { output } = await run({ program: 'git', args: ['ls-files'], cwd: rootDir, quiet: true });
  const files = output.split('\n').filter((file) => /\.(ts|tsx|mjs|js|json|yml|yaml|md|css|html|sh|py)$/.test(file));
  const found = await Promise.all(files.map((file) => straysIn(rootDir, file)));
  return found.flat();
}

async function straysIn(rootDir: string, file: string): Promise<string[]> {
  if (file === 'scripts/strays.ts') return [];
  const text = await readFile(join(rootDir, file), 'utf8').catch(() => '');
  const isCode = /\.tsx?$/.test(file);
  return text.split('\n').flatMap((line, index) => {
    const at = `${file}:${index + 1}`;
    if (MACHINE_PATH.test(line)) return [`${at}: a path of a machine`];
    if (file.endsWith('package-lock.json') && REGISTRY.test(line)) return [`${at}: a registry's host`];
    return isCode && ESCAPE.test(line) ? [`${at}: an escape from the type system`] : [];
  });
}
