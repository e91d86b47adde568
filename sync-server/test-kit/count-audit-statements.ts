/** Counts the statements that write the audit log, and the entries that they write. */
import { sql } from 'drizzle-orm';
import type { Database } from '../src/db/client.ts';

export async function countAuditStatements(
  db: Database,
  work: () => Promise<unknown>,
): Promise<{ statements: number; entries: number }> {
  await db.execute(sql`create table audit_statements (entries int not null)`);
  await db.execute(sql`
    create function count_audit_statement() returns trigger language plpgsql as $$ begin
      insert into audit_statements select count(*) from added;
      return null;
    end $$`);
  await db.execute(sql`
    create trigger count_audit_statements after insert on audit_log referencing new table as added
    for each statement execute function count_audit_statement()`);
  try {
    await work();
    const { rows } = (await db.execute(
      sql`select count(*)::int as statements, coalesce(sum(entries), 0)::int as entries from audit_statements`,
    )) as { rows: { statements: number; entries: number }[] };
    return rows[0] ?? { statements: 0, entries: 0 };
  } finally {
    await db.execute(sql`drop trigger count_audit_statements on audit_log`);
    await db.execute(sql`drop function count_audit_statement`);
    await db.execute(sql`drop table audit_statements`);
  }
}
