/** Restores the rows of a PostgreSQL database from its backup in place, so that the restore leaves no other trace. */
import { join } from 'node:path';
import { z } from 'zod';
import { openDatabase } from '../../../../sync-server/src/index.ts';

const Tables = z.object({ rows: z.array(z.object({ table_name: z.string() })) });

/** `folder` must be writable by the user of the cluster. */
export async function restoreRowsInPlace({
  from,
  to,
  folder,
}: {
  from: string;
  to: string;
  folder: string;
}): Promise<void> {
  const backup = await openDatabase({ type: 'postgres', url: from });
  const current = await openDatabase({ type: 'postgres', url: to });
  try {
    const { rows } = Tables.parse(
      await backup.db.execute(
        `SELECT table_name FROM information_schema.tables WHERE table_schema = 'public' AND table_type = 'BASE TABLE'`,
      ),
    );
    const tables = rows.map(({ table_name }) => table_name);
    const fileOf = (table: string): string => join(folder, table);
    for (const table of tables) await backup.db.execute(`COPY public."${table}" TO '${fileOf(table)}'`);
    await current.db.transaction(async (tx) => {
      // Tables are copied one by one, so foreign keys are not checked.
      await tx.execute('SET LOCAL session_replication_role = replica');
      await tx.execute(`TRUNCATE ${tables.map((table) => `public."${table}"`).join(', ')}`);
      for (const table of tables) await tx.execute(`COPY public."${table}" FROM '${fileOf(table)}'`);
    });
  } finally {
    await backup.close();
    await current.close();
  }
}
