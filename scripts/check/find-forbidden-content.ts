/** Finds content that must never be committed: machine paths, registry hosts and escapes from the type system. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { runProgram } from '../run-program.ts';

const MACHINE_PATH = /(^|[^.\w/])\/(root|home|work)\/\w/;
const REGISTRY_HOST = /"resolved": "https?:/;
const TYPE_ESCAPE = /@ts-ignore|@ts-nocheck|\bas any\b|:\s*any\s*[;,)=\]>|}]|<any>/;

export async function findForbiddenContent(rootDir: string): Promise<string[]> {
  const { output } = await runProgram({ program: 'git', args: ['ls-files'], cwd: rootDir, quiet: true });
  const files = output.split('\n').filter((file) => /\.(ts|tsx|mjs|js|json|yml|yaml|md|css|html|sh|py)$/.test(file));
  const found = await Promise.all(files.map((file) => checkFile(rootDir, file)));
  return found.flat();
}

async function checkFile(rootDir: string, file: string): Promise<string[]> {
  if (file === 'scripts/check/find-forbidden-content.ts') return [];
  const text = await readFile(join(rootDir, file), 'utf8').catch(() => '');
  const isCode = /\.tsx?$/.test(file);
  return text.split('\n').flatMap((line, index) => {
    const location = `${file}:${index + 1}`;
    if (MACHINE_PATH.test(line)) return [`${location}: a machine path`];
    if (file.endsWith('package-lock.json') && REGISTRY_HOST.test(line)) return [`${location}: a registry host`];
    return isCode && TYPE_ESCAPE.test(line) ? [`${location}: an escape from the type system`] : [];
  });
}
