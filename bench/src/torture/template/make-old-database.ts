/** Rebuilds a server database as the first released version would have left it. */
import { z } from 'zod';
import { type DatabaseConnection, openDatabase } from '../../../../sync-server/src/index.ts';
import type { ServerStorage } from '../server-starter.ts';
import { readFirstMigration } from './first-migration.ts';

const MIGRATIONS = new URL('../../../../sync-server/src/db/migrations/', import.meta.url);

const Column = z.object({
  table_name: z.string(),
  column_name: z.string(),
  data_type: z.string(),
  udt_name: z.string(),
});
type Column = z.infer<typeof Column>;
type Transaction = Parameters<Parameters<DatabaseConnection['db']['transaction']>[0]>[0];

/** Converts a copy of a current database in place. */
export async function makeOldDatabase(place: ServerStorage): Promise<void> {
  const { statements, when, isOnlyMigration } = readFirstMigration(MIGRATIONS);
  if (isOnlyMigration) return;
  const database = await openDatabase(
    'DATA_DIR' in place ? { type: 'folder', dir: place.DATA_DIR } : { type: 'postgres', url: place.DATABASE_URL },
  );
  try {
    await database.db.transaction(async (tx) => {
      // Tables are copied one by one, so foreign keys are not checked.
      await tx.execute('SET LOCAL session_replication_role = replica');
      await tx.execute('ALTER SCHEMA public RENAME TO newer');
      await tx.execute('CREATE SCHEMA public');
      for (const statement of statements) await tx.execute(statement);
      await copyRows(tx);
      await tx.execute('DROP SCHEMA newer CASCADE');
      await tx.execute(`DELETE FROM drizzle.__drizzle_migrations WHERE created_at > ${when}`);
    });
  } finally {
    await database.close();
  }
}

async function copyRows(tx: Transaction): Promise<void> {
  const [old, newer] = [await listColumns(tx, 'public'), await listColumns(tx, 'newer')];
  const name = ({ table_name, column_name }: Column): string => `${table_name}.${column_name}`;
  const known = new Set(newer.map(name));
  const shared = Map.groupBy(
    old.filter((column) => known.has(name(column))),
    ({ table_name }) => table_name,
  );
  for (const [table, columns] of shared) {
    const targets = columns.map(({ column_name }) => `"${column_name}"`).join(', ');
    // The enum types of the two schemas differ, but their text values are the same.
    const sources = columns.map(({ column_name, data_type, udt_name }) =>
      data_type === 'USER-DEFINED' ? `"${column_name}"::text::public."${udt_name}"` : `"${column_name}"`,
    );
    await tx.execute(`INSERT INTO public."${table}" (${targets}) SELECT ${sources.join(', ')} FROM newer."${table}"`);
  }
}

async function listColumns(tx: Transaction, schema: string): Promise<Column[]> {
  const found = await tx.execute(
    `SELECT table_name, column_name, data_type, udt_name FROM information_schema.columns WHERE table_schema = '${schema}'`,
  );
  return z.object({ rows: z.array(Column) }).parse(found).rows;
}
