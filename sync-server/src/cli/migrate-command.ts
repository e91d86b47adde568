/** `parley-server migrate`: migrates the schema, or lists the migrations that would run. */
import type { Config } from '../compose/config/config.ts';
import { readMigrationState } from '../db/pending-migrations.ts';
import { CommandFailure, type Output, pluralize, withDatabase } from './command.ts';

export async function migrate(config: Config, { isDryRun }: { isDryRun: boolean }, output: Output): Promise<void> {
  const { pending, isNewerThanServer } = await withDatabase(config, ({ db }) => readMigrationState(db));
  if (isNewerThanServer)
    throw new CommandFailure('A newer version of the server has migrated this database: update the server instead.');
  if (pending.length === 0) return output.print('The database is up to date.');
  for (const tag of pending) output.print(`${isDryRun ? 'would run' : 'running'} ${tag}`);
  if (isDryRun) return;
  await withDatabase(config, async () => undefined, { migrates: true });
  output.print(`${pluralize(pending.length, 'migration')} done.`);
}
