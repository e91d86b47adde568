/** Where the databases that tests copy are kept between runs. */
import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';

const MIGRATIONS_DIR = fileURLToPath(new URL('../src/db/migrations', import.meta.url));

export const CACHE_DIR: string = fileURLToPath(new URL('../../.cache/test-databases', import.meta.url));

/** Changes with every migration and with the version of PGlite. */
export async function databaseKey(): Promise<string> {
  const hash = createHash('sha256');
  const packageFile = new URL('../package.json', import.meta.url);
  const { dependencies } = z
    .object({ dependencies: z.record(z.string(), z.string()) })
    .parse(JSON.parse(await readFile(packageFile, 'utf8')));
  hash.update(dependencies['@electric-sql/pglite'] ?? '');
  const names = (await readdir(MIGRATIONS_DIR)).filter((name) => name.endsWith('.sql')).sort();
  for (const name of ['meta/_journal.json', ...names]) hash.update(await readFile(join(MIGRATIONS_DIR, name)));
  return hash.digest('hex').slice(0, 16);
}
