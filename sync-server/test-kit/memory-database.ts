/** Opens in-memory databases for tests from a migrated template, because creating and migrating one takes far longer than copying it. */
import { createHash, randomUUID } from 'node:crypto';
import { mkdir, readdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { sql } from 'drizzle-orm';
import { z } from 'zod';
import { type Database, type DatabaseConnection, openDatabase } from '../src/db/client.ts';

const MIGRATIONS_DIR = fileURLToPath(new URL('../src/db/migrations', import.meta.url));
/** The template is kept between runs and shared by all test processes. */
const CACHE_DIR = fileURLToPath(new URL('../../.cache/test-databases', import.meta.url));

let template: Promise<Blob> | null = null;

/** Opens a new, migrated database in memory. */
export async function openMemoryDatabase(): Promise<DatabaseConnection> {
  template ??= readTemplate();
  const database = await openDatabase({ type: 'memory', copyOf: await template });
  await renewEpoch(database.db);
  return database;
}

/** Gives a copy its own epoch, because devices recognise a database by it. */
export async function renewEpoch(db: Database): Promise<void> {
  await db.execute(sql`update server_state set epoch = gen_random_uuid()::text`);
}

async function readTemplate(): Promise<Blob> {
  const file = join(CACHE_DIR, `pglite-${await templateKey()}.tar`);
  const cached = await readFile(file).catch(() => null);
  if (cached !== null) return new Blob([cached]);
  const dump = await createTemplate();
  await mkdir(CACHE_DIR, { recursive: true });
  // Several processes may write the template at once, so each renames a complete file into place.
  const partial = `${file}.${randomUUID()}`;
  await writeFile(partial, new Uint8Array(await dump.arrayBuffer()));
  await rename(partial, file);
  return dump;
}

async function createTemplate(): Promise<Blob> {
  const database = await openDatabase({ type: 'memory' });
  try {
    if (database.jobs.type !== 'pglite') throw new Error('A database in memory must be PGlite.');
    return await database.jobs.pglite.dumpDataDir('none');
  } finally {
    await database.close();
  }
}

/** Changes with every migration and with the version of PGlite. */
async function templateKey(): Promise<string> {
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
