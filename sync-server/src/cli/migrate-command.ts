/** `parley-server migrate`: migrates the schema, or lists the migrations that would run. */
import type { Config } from '../compose/config/config.ts';
import { databaseLocation } from '../compose/config/database-location.ts';
import { type DatabaseLocation, openDatabase } from '../db/client.ts';
import { readMigrationState } from '../db/pending-migrations.ts';
import { actAsOwner } from './act-as-owner.ts';
import { CommandFailure, hasDatabase, type Output, pluralize } from './command.ts';

export async function migrate(config: Config, { isDryRun }: { isDryRun: boolean }, output: Output): Promise<void> {
  // A dry run creates no database: for one that does not exist yet, it lists what would run in an empty one.
  const isOfNewDatabase = isDryRun && !hasDatabase(config);
  actAsOwner(config);
  const location: DatabaseLocation = isOfNewDatabase ? { type: 'memory' } : databaseLocation(config);
  if (isOfNewDatabase) output.print(`There is no database in ${config.dataDir} yet. In a new one:`);
  const database = await openDatabase(location, { migrates: false });
  const { pending, isNewerThanServer } = await readMigrationState(database.db);
  await database.close();
  if (isNewerThanServer)
    throw new CommandFailure('A newer version of the server has migrated this database: update the server instead.');
  if (pending.length === 0) return output.print('The database is up to date.');
  for (const tag of pending) output.print(`${isDryRun ? 'would run' : 'running'} ${tag}`);
  if (isDryRun) return;
  await (await openDatabase(databaseLocation(config))).close();
  output.print(`${pluralize(pending.length, 'migration')} done.`);
}
