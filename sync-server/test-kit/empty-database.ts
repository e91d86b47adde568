/** Empties a database that a test has used, because creating another takes twenty times as long. */
import { z } from 'zod';

/** Runs statements and returns the rows of each. */
export type Execute = (statements: string) => Promise<{ rows: unknown[] }[]>;

export interface EmptyDatabase {
  /** Restores the rows that the database had at first. Resolves to false if a test has changed the schema. */
  restore: (execute: Execute) => Promise<boolean>;
}

const Texts = z.array(z.object({ value: z.string() }));

/** Changes with each table, column and constraint. */
const READ_SCHEMA = `
  select md5(string_agg(entry, ' ' order by entry)) as value from (
    select concat_ws(' ', c.oid, c.relname, a.attnum, a.attname, a.atttypid, a.attnotnull) as entry
      from pg_class c join pg_namespace n on n.oid = c.relnamespace left join pg_attribute a on a.attrelid = c.oid
      where n.nspname not in ('pg_catalog', 'pg_toast', 'information_schema')
    union all select oid::text from pg_constraint
    union all select oid::text from pg_trigger
  ) entries`;
const LIST_TABLES = `select quote_ident(tablename) as value from pg_tables where schemaname = 'public'`;

/** Reads a database that has just been migrated. */
export async function readEmptyDatabase(execute: Execute): Promise<EmptyDatabase> {
  const schema = await readTexts(execute, READ_SCHEMA);
  const tables = await readTexts(execute, LIST_TABLES);
  const listTablesWithRows = tables
    .map((table) => `select '${table}' as value where exists (select from ${table})`)
    .join(' union all ');
  const inserts: string[] = [];
  for (const table of await readTexts(execute, listTablesWithRows)) {
    const [rows] = await readTexts(execute, `select quote_literal(json_agg(t)::text) as value from ${table} t`);
    inserts.push(`insert into ${table} select * from json_populate_recordset(null::${table}, ${rows})`);
  }

  return {
    restore: async (execute) => {
      if ((await readTexts(execute, READ_SCHEMA)).join() !== schema.join()) return false;
      const used = await readTexts(execute, listTablesWithRows);
      // With foreign key checks disabled, the order of the tables does not matter.
      const statements = [
        'begin',
        'set local session_replication_role = replica',
        ...used.map((table) => `delete from ${table}`),
        ...inserts,
        'commit',
      ];
      await execute(statements.join(';'));
      // A setting that disables triggers would also affect the next test.
      await execute('reset all');
      await execute(`vacuum ${used.join(', ')}`);
      return true;
    },
  };
}

async function readTexts(execute: Execute, query: string): Promise<string[]> {
  const [result] = await execute(query);
  return Texts.parse(result?.rows ?? []).map(({ value }) => value);
}
