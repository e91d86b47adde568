/** Electron's own program, where it was downloaded: the package itself brings it only when asked to. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Null where the runtime is not there. Never downloads. */
export function findElectron(rootDir: string): string | null {
  const packageDir = join(rootDir, 'node_modules/electron');
  const nameFile = join(packageDir, 'path.txt');
  if (!existsSync(nameFile)) return null;
  const program = join(packageDir, 'dist', readFileSync(nameFile, 'utf8').trim());
  return existsSync(program) ? program : null;
}
