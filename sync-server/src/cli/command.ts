/** The shared parts of the operator's commands. */
import type { Config } from '../compose/config/config.ts';
import { databaseLocation } from '../compose/config/database-location.ts';
import { readMigrationState } from '../db/pending-migrations.ts';
import { hasEmbeddedDatabase } from '../db/embedded/database-folders.ts';
import { type DatabaseConnection, type OpenOptions, openDatabase } from '../db/client.ts';
import { actAsOwner } from './act-as-owner.ts';

export interface Output {
  print: (line: string) => void;
}

/** What `doctor` has found out about one thing. */
export interface Finding {
  name: string;
  isGood: boolean;
  /** The finding; for a failure, also what to do. */
  text: string;
}

/** The message is a sentence for the operator. */
export class CommandFailure extends Error {}

/** Whether the embedded database has been created. PostgreSQL reports by itself whether a database exists. */
export const hasDatabase = ({ databaseUrl, dataDir }: Config): boolean =>
  databaseUrl !== null || hasEmbeddedDatabase(dataDir);

/** Fails if there is no database, because an empty one in the wrong folder would look like lost data. */
export async function withDatabase<Result>(
  config: Config,
  work: (database: DatabaseConnection) => Promise<Result>,
  options: OpenOptions = { migrates: false },
): Promise<Result> {
  if (!hasDatabase(config))
    throw new CommandFailure(
      `There is no database in ${config.dataDir}: set DATA_DIR to the server's folder, or start the server once to create it.`,
    );
  const actAsSelf = actAsOwner(config);
  try {
    const database = await openDatabase(databaseLocation(config), options);
    try {
      return await work(database);
    } finally {
      await database.close();
    }
  } finally {
    actAsSelf();
  }
}

/** For commands that read our tables. */
export async function withMigratedDatabase<Result>(
  config: Config,
  work: (database: DatabaseConnection) => Promise<Result>,
): Promise<Result> {
  return withDatabase(config, async (database) => {
    const { pending } = await readMigrationState(database.db);
    if (pending.length > 0)
      throw new CommandFailure('The database is not up to date: start the server once, or run parley-server migrate.');
    return work(database);
  });
}

export const pluralize = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`;
