/** Finds the Electron runtime, which the npm package downloads only on request. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Returns null when the runtime is not installed. It never downloads. */
export function findElectron(rootDir: string): string | null {
  const packageDir = join(rootDir, 'node_modules/electron');
  const nameFile = join(packageDir, 'path.txt');
  if (!existsSync(nameFile)) return null;
  const program = join(packageDir, 'dist', readFileSync(nameFile, 'utf8').trim());
  return existsSync(program) ? program : null;
}
