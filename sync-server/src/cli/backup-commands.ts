/** `parley-server backup` and `restore` for the embedded database. PostgreSQL has its own, better tools. */
import { existsSync } from 'node:fs';
import { readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { preparePrivateFolder } from '@parley/file-permissions';
import type { Config } from '../compose/config/config.ts';
import { openDatabase } from '../db/client.ts';
import { completeRestore, databaseFolders } from '../db/embedded/database-folders.ts';
import { lockDataFolder } from '../db/embedded/lock-data-folder.ts';
import { readMigrationState } from '../db/pending-migrations.ts';
import { tables } from '../db/tables.ts';
import { actAsOwner } from './act-as-owner.ts';
import { CommandFailure, type Output, pluralize, withDatabase } from './command.ts';
import { writeWholeFile } from './write-whole-file.ts';

const USE_POSTGRES_TOOLS =
  'DATABASE_URL is set, and PostgreSQL has its own backups: see “Backups” in docs/operations.md. This command is for the embedded database.';

export async function backUp(config: Config, file: string, output: Output): Promise<void> {
  if (config.databaseUrl !== null) throw new CommandFailure(USE_POSTGRES_TOOLS);
  if (existsSync(file)) throw new CommandFailure(`${file} already exists: choose another name.`);
  // The file is opened first, because root may write to places where the data folder's owner may not.
  const bytes = await writeWholeFile(file, () =>
    withDatabase(config, async ({ jobs }) => {
      if (jobs.type !== 'pglite') throw new CommandFailure(USE_POSTGRES_TOOLS);
      return (await jobs.pglite.dumpDataDir('gzip')).bytes();
    }),
  );
  output.print(`${file} contains the database (${Math.ceil(bytes / 1_024)} kB). ${describeRest(config)}`);
}

/** The other files that a server on another machine needs. */
function describeRest({ secret, dataDir, media }: Config): string {
  const ownSecret = secret === null ? join(dataDir, 'secret') : 'SECRET';
  return `Also keep a copy of ${ownSecret}${media.s3 === null ? ` and of the files in ${media.dir}` : ''}: the backup contains only the database.`;
}

export async function restore(
  config: Config,
  { file, isOnlyVerified, now }: { file: string; isOnlyVerified: boolean; now: Date },
  output: Output,
): Promise<void> {
  if (config.databaseUrl !== null) throw new CommandFailure(USE_POSTGRES_TOOLS);
  const backup = await readBackup(file);
  await verify(backup, file, output);
  if (isOnlyVerified) return;
  const actAsSelf = actAsOwner(config);
  try {
    preparePrivateFolder(config.dataDir);
    const unlock = lockDataFolder(config.dataDir);
    try {
      output.print(describeRestore(await putInPlace(backup, config.dataDir, now)));
    } finally {
      unlock();
    }
  } finally {
    actAsSelf();
  }
}

const describeRestore = (former: string | null): string =>
  `The backup is in place.${former === null ? '' : ` The old database is in ${former}: delete it once everything works.`} At its next start, the server begins a new epoch, and devices send back what the backup lacks.`;

/**
 * The old database stays in its place until the new one is complete, and `completeRestore` completes a restore that is interrupted after that. Returns
 * the folder of the old database; null when there was none.
 */
async function putInPlace(backup: Blob, dataDir: string, now: Date): Promise<string | null> {
  const { database, unfinished, restored } = databaseFolders(dataDir);
  for (const left of [unfinished, restored]) await rm(left, { recursive: true, force: true });
  try {
    await loadInto(unfinished, backup);
  } catch (error) {
    await rm(unfinished, { recursive: true, force: true });
    throw error;
  }
  await rename(unfinished, restored);
  const former = existsSync(database) ? `${database}.before-${now.toISOString().replaceAll(/[:.]/g, '-')}` : null;
  if (former !== null) await rename(database, former);
  completeRestore(dataDir);
  return former;
}

async function readBackup(file: string): Promise<Blob> {
  try {
    return new Blob([await readFile(file)], { type: 'application/x-gzip' });
  } catch (error) {
    throw new CommandFailure(`${file} cannot be read.`, { cause: error });
  }
}

/** Opens the backup in memory, so that a damaged file is found before anything is replaced. */
async function verify(backup: Blob, file: string, output: Output): Promise<void> {
  const database = await openDatabase({ type: 'memory', copyOf: backup }, { migrates: false }).catch(
    (error: unknown) => {
      throw new CommandFailure(`${file} is not a backup of this server, or it is damaged.`, { cause: error });
    },
  );
  try {
    const { pending, isNewerThanServer } = await readMigrationState(database.db);
    if (isNewerThanServer)
      throw new CommandFailure(`${file} comes from a newer version of the server: update the server first.`);
    const [learners, sessions] = [
      await database.db.$count(tables.users),
      await database.db.$count(tables.practiceHistory),
    ];
    output.print(
      `${file} is readable: ${pluralize(learners, 'account')}, ${pluralize(sessions, 'session')}, ${pluralize(pending.length, 'migration')} to run.`,
    );
  } finally {
    await database.close();
  }
}

async function loadInto(folder: string, backup: Blob): Promise<void> {
  const { PGlite } = await import('@electric-sql/pglite');
  const pglite = new PGlite(folder, { loadDataDir: backup });
  await pglite.waitReady;
  await pglite.close();
}
